import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

/** Refuses query parameters on routes that declare none: a misspelt one must never be ignored. */
export function refuseUnknownQueries(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.schema && !route.schema.querystring) route.schema.querystring = z.strictObject({});
  });
}
