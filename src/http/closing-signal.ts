import type { FastifyInstance } from 'fastify';

/** Aborts when the service begins to close: whoever is kept waiting is answered, so that connections end. */
export function createClosingSignal(app: Pick<FastifyInstance, 'addHook'>): AbortSignal {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort(new Error('The service is stopping')));
  return closing.signal;
}
