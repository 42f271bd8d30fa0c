import type { FastifyInstance } from 'fastify';

import { AppError } from '../errors.ts';

/** Aborts when the service begins to close: waiting requests are answered, so that connections end. */
export function createClosingSignal(app: Pick<FastifyInstance, 'addHook'>): AbortSignal {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort(new Error('The service is stopping')));
  return closing.signal;
}

/** While the service closes, new requests are refused, and each connection is closed after the answer under way. */
export function refuseWhileClosing(app: FastifyInstance): void {
  const closing = createClosingSignal(app);
  app.addHook('onRequest', async ({ routeOptions }, reply) => {
    if (!closing.aborted) return;
    if (routeOptions.url?.startsWith('/health/') === true) return;
    reply.header('retry-after', '5');
    throw new AppError('unavailable', 'The service is stopping; retry to reach another instance');
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing.aborted) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async () => {
    // A stream whose head was sent before leaves a connection that its client may keep.
    if (closing.aborted) setImmediate(() => app.server.closeIdleConnections());
  });
}
