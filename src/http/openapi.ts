import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import {
  fastifyZodOpenApiPlugin,
  fastifyZodOpenApiTransformers,
  createSerializerCompiler,
  validatorCompiler,
} from 'fastify-zod-openapi';

import packageJson from '../../package.json' with { type: 'json' };

const tags = [
  { name: 'question sets', description: 'Labelled questions, in immutable versions' },
  { name: 'corpora', description: 'Documents that the local backend searches' },
  { name: 'search configurations', description: 'Ways to search: what is evaluated' },
  { name: 'runs', description: 'Rankings that clients bring' },
  { name: 'measures', description: 'What can be measured' },
  { name: 'evaluations', description: 'Search configurations scored over a question set' },
  { name: 'baselines', description: 'Runs that later ones are held against' },
  { name: 'schedules', description: 'Evaluations by cron, here or by SAP Job Scheduling Service' },
  { name: 'alerts', description: 'Who hears of what goes wrong' },
  { name: 'comparisons', description: 'Two runs, question by question' },
  { name: 'prices', description: 'What searching costs' },
  { name: 'pools', description: 'What still needs a judgment' },
  { name: 'audit', description: 'Who changed what' },
  { name: 'service', description: 'Health and description of the service' },
];

/** Makes zod validate, serialize and describe every route that is registered after it. */
export async function setupOpenApi(app: FastifyInstance): Promise<void> {
  app.setValidatorCompiler(validatorCompiler);
  // zod has taken away what the schema does not name; a second check as JSON schema takes longer than all else.
  app.setSerializerCompiler(createSerializerCompiler({ stringify: JSON.stringify }));
  await app.register(fastifyZodOpenApiPlugin);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'grounding-eval',
        version: packageJson.version,
        description: packageJson.description,
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This service' }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'A token of the bound XSUAA, for a user or by client credentials. Evaluate and Label bring Read along; Admin brings these three. Without a bound XSUAA nobody signs in.',
          },
        },
      },
      security: [{ bearer: [] }],
      tags,
    },
    ...fastifyZodOpenApiTransformers,
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
}
