import { createHash, timingSafeEqual } from 'node:crypto';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { AppError } from '../../errors.ts';

const path = '/metrics';

/**
 * Serves metrics to callers with the token, and to this machine unless requests come through a proxy: it may
 * stand beside the service, and what it passes on comes from elsewhere.
 */
export function guardMetrics(
  app: FastifyInstance,
  { token, isProxied }: { readonly token: string | undefined; readonly isProxied: boolean },
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url !== path) return;
    if ((!isProxied && isOfThisMachine(request)) || hasToken(request, token)) return;
    reply.header('www-authenticate', 'Bearer');
    throw new AppError('unauthenticated', 'A valid bearer token is required');
  });
}

/** An unconfigured proxy is recognized by the headers it adds. */
function isOfThisMachine({ headers, socket }: FastifyRequest): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined) return false;
  return /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(socket.remoteAddress ?? '');
}

function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return false;
  return timingSafeEqual(digest(`Bearer ${token}`), digest(headers.authorization ?? ''));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
