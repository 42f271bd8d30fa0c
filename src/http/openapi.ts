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
import { scopeDescriptions } from './access/scopes.ts';
import { tidyDocument } from './tidy-document.ts';

const tags = [
  { name: 'question sets', description: 'Labelled questions, in immutable versions' },
  { name: 'corpora', description: 'Documents that the `local` backend searches' },
  { name: 'search configurations', description: 'Retrieval systems and parameters to evaluate' },
  { name: 'runs', description: 'Imported rankings' },
  { name: 'measures', description: 'Measures of retrieval quality' },
  { name: 'evaluations', description: 'Search configurations scored over a question set' },
  { name: 'baselines', description: 'Named runs to compare later runs with' },
  {
    name: 'schedules',
    description: 'Recurring evaluations, by cron or by SAP Job Scheduling Service',
  },
  { name: 'alerts', description: 'Recipients of notifications' },
  { name: 'comparisons', description: 'Paired comparisons of two runs' },
  { name: 'prices', description: 'Prices of searches, re-ranking and model calls' },
  { name: 'pools', description: 'Retrieved documents without a judgment' },
  { name: 'audit', description: 'Log of changes' },
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
              'A token of the bound XSUAA, for a user or by client credentials. Evaluate and Label include Read; Admin includes Evaluate, Label and Read. Without a bound XSUAA the service has no authentication.',
          },
          oauth2: {
            type: 'oauth2',
            description:
              'How to get such a token: `url` of a service key of the bound XSUAA, followed by `/oauth/token`. In a request for a token, the name of a scope has the prefix `xsappname.`; without scopes the token has all that were granted.',
            flows: {
              clientCredentials: {
                tokenUrl: 'https://subdomain.authentication.eu10.hana.ondemand.com/oauth/token',
                scopes: scopeDescriptions,
              },
            },
          },
        },
      },
      security: [{ bearer: [] }, { oauth2: [] }],
      tags,
    },
    transform: fastifyZodOpenApiTransformers.transform,
    transformObject: (source) =>
      tidyDocument(fastifyZodOpenApiTransformers.transformObject(source)),
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
}
