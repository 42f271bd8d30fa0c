import type { FastifyInstance } from 'fastify';

import type { Computations } from '../../evaluation/computations/computations.ts';
import { computeFor } from '../../evaluation/computations/current-request.ts';
import { getPrincipal } from './principal.ts';

/** The sender of a request went away before its answer. */
class SenderGoneError extends Error {
  override readonly name = 'SenderGoneError';
  /** Not sent; it keeps these requests apart from failures of the service in logs and metrics. */
  readonly statusCode = 499;

  constructor() {
    super('The sender of the request went away');
  }
}

/**
 * Ends what a request computes when its sender goes away, and lets tenants take turns. Only for requests that change
 * nothing: what they started is of use to their senders alone.
 */
export function computeForSenders(
  app: Pick<FastifyInstance, 'addHook'>,
  computations: Computations,
): void {
  // After the body was read: its events belong to the connection, not to the request.
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.access !== 'Read') {
      done();
      return;
    }
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort(new SenderGoneError());
    });
    const { tenant } = getPrincipal(request);
    computeFor({ computations, tenant, signal: gone.signal }, done);
  });
}
