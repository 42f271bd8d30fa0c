import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { PrincipalDetail } from '../../schemas/principal.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { getPrincipal } from '../access/principal.ts';

export const principalRoutes: FastifyPluginAsyncZodOpenApi = async (app) => {
  app.get(
    '/principal',
    {
      schema: {
        operationId: 'getPrincipal',
        summary: 'Get the sender of the request and the granted scopes',
        tags: ['service'],
        response: { 200: PrincipalDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { name, scopes } = getPrincipal(request);
      return { name, scopes: [...scopes].toSorted() };
    },
  );
};
