import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { AppError } from '../../errors.ts';

/** Whoever watches the service must see it when it is busiest. */
const unlimited = new Set<string | undefined>(['/health/live', '/health/ready', '/metrics']);

/**
 * Limits the requests of each client per minute on this instance; beyond it, the answer is 429 with Retry-After.
 * 0: no limit. Counted when the client is known and before the body is read.
 */
export async function limitRate(app: FastifyInstance, requestsPerMinute: number): Promise<void> {
  if (requestsPerMinute === 0) return;
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: 60_000,
    enableDraftSpec: true,
    keyGenerator: findClient,
    allowList: ({ routeOptions }) => unlimited.has(routeOptions.url),
    errorResponseBuilder: (_request, { max }) =>
      new AppError('too-many-requests', `More than ${max} requests per minute; see Retry-After`),
  });
}

/**
 * Bounds alike what an address may ask for before anybody knows whether its tokens are true. Comes after
 * `limitRate`.
 */
export function createUnauthenticatedLimit(
  app: FastifyInstance,
  requestsPerMinute: number,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  if (requestsPerMinute === 0) return async () => undefined;
  const count = app.createRateLimit({ max: requestsPerMinute });
  return async (request, reply) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    reply.header('retry-after', counted.ttlInSeconds);
    throw new AppError('too-many-requests', 'Too many tokens of unknown tenants; see Retry-After');
  };
}

/** A user or client of a tenant; without authentication, an address. */
function findClient({ principal, ip }: FastifyRequest): string {
  return JSON.stringify([principal?.tenant, principal?.name ?? ip]);
}
