import type { FastifyInstance } from 'fastify';

import { AppError } from '../errors.ts';

/** Aborts when the service begins to close: whoever is kept waiting is answered, so that connections end. */
export function createClosingSignal(app: Pick<FastifyInstance, 'addHook'>): AbortSignal {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort(new Error('The service is stopping')));
  return closing.signal;
}

/** While the service closes, connections that are still open get no more work done, and hear why. */
export function refuseWhileClosing(app: FastifyInstance): void {
  const closing = createClosingSignal(app);
  app.addHook('onRequest', async ({ routeOptions }, reply) => {
    if (!closing.aborted) return;
    reply.header('connection', 'close');
    if (routeOptions.url?.startsWith('/health/') === true) return;
    reply.header('retry-after', '5');
    throw new AppError('unavailable', 'The service is stopping; another instance will answer');
  });
}
