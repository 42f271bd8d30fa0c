import { z } from 'zod';

import { templateValues } from '../model/http-search.ts';
import { checkConfiguration } from './check-configuration.ts';
import { describeJson } from './bounded-json.ts';
import { ChunkPipeline } from './pipeline.ts';
import { Depth, Name, nonEmptyText } from './vocabulary.ts';

const Template = describeJson(
  `JSON in which \`{ "$value": name }\` stands for a value: ${templateValues.map((name) => `\`${name}\``).join(', ')}. A member without a value is left out.`,
);

const Place = z
  .union([z.string().max(1000), z.strictObject({ jmespath: nonEmptyText(1000) })], {
    error: 'must be a JSON Pointer such as "/hits/hits", or { "jmespath": "…" }',
  })
  .meta({
    id: 'AnswerPlace',
    description:
      'Where something stands in JSON: a JSON Pointer (RFC 6901), or an expression of JMESPath for what a pointer cannot reach, such as lists that stand side by side.',
    example: '/hits/hits',
  });

const AnswerRule = z
  .strictObject({
    hits: Place.meta({ description: 'The list of hits, best first. The search fails without it.' }),
    documentId: Place.meta({ description: 'From one hit, as all that follow.' }),
    score: Place.optional(),
    chunkId: Place.optional(),
    text: Place.optional(),
  })
  .meta({
    id: 'AnswerRule',
    description: 'How the answer of a search is read.',
    example: { hits: '/hits/hits', documentId: '/_id', score: '/_score', text: '/_source/text' },
  });

/** Credentials belong to the endpoint: configurations are stored, and shown to every reader. */
const forbiddenHeader =
  /^(?:authorization|cookie|host|connection|content-.*|transfer-encoding|proxy-.*|.*(?:key|token|secret|password).*)$/i;

const Headers = z
  .record(
    z.string().regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header'),
    z
      .string()
      .max(1000)
      .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'),
  )
  .superRefine((headers, context) => {
    for (const name of Object.keys(headers).filter((each) => forbiddenHeader.test(each))) {
      const message =
        'cannot be set here: credentials and headers of the connection belong to the endpoint (HTTP_SEARCH_ENDPOINTS)';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .default({});

const fields = {
  backend: z.literal('http'),
  endpoint: Name.meta({
    description: 'An endpoint that the operator of the service lists in HTTP_SEARCH_ENDPOINTS.',
  }),
  method: z.enum(['GET', 'POST']).default('POST'),
  path: z
    .string()
    .max(1000)
    .regex(
      // A URL takes %2e for a dot.
      /^\/(?!\/)(?!.*(?:^|\/)(?:\.|%2[eE]){1,2}(?:\/|$))[^?#\\\s]*$/,
      'must start with "/" and have no "..", "?" or "#"; parameters belong into "query"',
    )
    .meta({ description: 'Below the URL of the endpoint.', example: '/documents/_search' }),
  headers: Headers,
  query: z.record(nonEmptyText(200), Template).default({}),
  body: Template.optional(),
  answer: AnswerRule,
  pageSize: z.int().min(1).max(1000).optional().meta({
    description:
      'How many hits one request asks for. More pages are read until the depth is reached. Default: the depth, in one request.',
  }),
  filters: Template.optional().meta({ description: 'What a template inserts as `filters`.' }),
  users: z
    .record(nonEmptyText(256), Template)
    .default({})
    .meta({ description: 'By user, what a template inserts as `user`.' }),
  depth: Depth,
  pipeline: ChunkPipeline.optional(),
};

export const HttpConfiguration = z
  .strictObject(fields)
  .superRefine(checkConfiguration)
  .meta({ title: 'http' });

/** As HttpConfiguration, with the name it has in one evaluation. */
export const InlineHttpConfiguration = z
  .strictObject({ name: Name, ...fields })
  .superRefine(checkConfiguration)
  .meta({ title: 'http' });
