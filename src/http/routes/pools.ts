import { Readable } from 'node:stream';

import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { InvalidInputError } from '../../errors.ts';
import { buildPool } from '../../evaluation/pooling/build-pool.ts';
import { parseOneMeasure } from '../../evaluation/measures/resolve-measures.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import { textResponse } from '../../schemas/bodies.ts';
import { Pool, PoolInput, PoolQuery } from '../../schemas/pool.ts';
import { busyResponse, problemResponse } from '../../schemas/problem.ts';
import { negotiate } from '../bodies/media-types.ts';
import { type CsvForm, writePoolCsv } from '../answers/pool-csv.ts';
import { inBlocks, mapStream, sendStream, streamJson } from '../answers/streams.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface PoolRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly retrievers: RetrieverRegistry;
}

export const poolRoutes: FastifyPluginAsyncZodOpenApi<PoolRoutesOptions> = async (
  app,
  { dbFor, retrievers },
) => {
  app.post(
    '/pool',
    {
      schema: {
        operationId: 'buildPool',
        summary: 'Compute the pool: list retrieved documents without a judgment',
        tags: ['pools'],
        querystring: PoolQuery,
        body: PoolInput,
        description:
          'As `text/csv` it has a row for each document, with an empty column `grade` for the judge.',
        response: {
          200: {
            description: 'The pool',
            content: { 'application/json': { schema: Pool }, 'text/csv': textResponse },
          },
          503: busyResponse(),
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const type = negotiate(request, ['application/json', 'text/csv']);
      if (type !== 'text/csv') refuseCsvQuery(request.query);
      const { evaluation, evaluations, depth, configurations, pair, ...body } = request.body;
      const measure =
        body.measure === undefined ? undefined : parseOneMeasure(body.measure, '/body/measure');
      const pool = await buildPool(
        { db, retrievers },
        {
          evaluations: evaluations ?? [evaluation ?? ''],
          depth,
          configurations,
          impact: pair && measure && { pair, measure },
          bias: body.bias === true ? measure : undefined,
        },
      );
      const { questions, sumUp, ...head } = pool;
      if (type === 'text/csv') {
        const csv = Readable.from(inBlocks(writePoolCsv(questions, toCsvForm(request.query))));
        return sendStream(reply, { type: 'text/csv; charset=utf-8', stream: csv });
      }
      const entries = mapStream(questions, (question) => JSON.stringify(question));
      const stream = streamJson(head, 'questions', { brackets: '[]', entries, tail: sumUp });
      return sendStream(reply, { type: 'application/json', stream });
    },
  );
};

function toCsvForm({ separator = 'comma', bom = 'false' }: PoolQuery): CsvForm {
  return { delimiter: separator === 'semicolon' ? ';' : ',', bom: bom === 'true' };
}

/** A misplaced parameter must never be ignored. */
function refuseCsvQuery(query: PoolQuery): void {
  const errors = Object.keys(query).map((name) => ({
    pointer: `/query/${name}`,
    detail: 'goes with Accept: text/csv only',
  }));
  if (errors.length > 0) throw new InvalidInputError('Invalid query', errors);
}
