import type { Readable } from 'node:stream';

import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { NotFoundError } from '../../errors.ts';
import { removeRun, saveRun } from '../../evaluation/save-run.ts';
import { formatRanking } from '../../ir/trec/format-ranking.ts';
import { textResponse, trecRunBody } from '../../schemas/bodies.ts';
import { NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { RunDetail, RunInput, RunPage, RunSummary } from '../../schemas/run.ts';
import type { Database } from '../../storage/database.ts';
import { findRun, listRuns, streamRankings, type ImportedRanking } from '../../storage/runs.ts';
import { toPageRequest, toWirePage } from '../cursors.ts';
import { setEntityTag } from '../entity-tags.ts';
import { readLines } from '../line-body.ts';
import { negotiate } from '../media-types.ts';
import { collectRankings, readRankings } from '../run-body.ts';
import { mapStream, sendStream, streamJson } from '../streams.ts';
import { writeTrec } from '../trec-body.ts';

export interface RunRoutesOptions {
  readonly db: Database;
  readonly now: () => string;
  readonly maxBodyBytes: number;
}

export const runRoutes: FastifyPluginAsyncZodOpenApi<RunRoutesOptions> = async (
  app,
  { db, now, maxBodyBytes },
) => {
  app.put(
    '/runs/:name',
    {
      config: { consumes: ['application/json', 'text/plain'] },
      schema: {
        operationId: 'putRun',
        summary: 'Store rankings of any search, to be scored as they are',
        description:
          'As TREC text the order is by score descending, then by document id descending, as trec_eval; the rank column is not used. As JSON with scores likewise, without scores as given.',
        tags: ['runs'],
        params: NameParams,
        body: {
          required: true,
          content: { 'application/json': { schema: RunInput }, 'text/plain': trecRunBody },
        },
        response: { 200: RunSummary, 201: RunSummary, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const body = request.body as RunInput | Readable;
      const rankings =
        'rankings' in body
          ? readRankings(body)
          : await collectRankings(readLines(body, maxBodyBytes));
      const saved = await saveRun(db, request.params.name, { rankings, now: now() });
      return reply.code(saved.isNew ? 201 : 200).send(saved.run);
    },
  );

  app.get(
    '/runs',
    {
      schema: {
        operationId: 'listRuns',
        summary: 'List imported runs by name',
        tags: ['runs'],
        querystring: PageQuery,
        response: { 200: RunPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => toWirePage(await listRuns(db, toPageRequest(request.query)), (run) => run),
  );

  app.get(
    '/runs/:name',
    {
      schema: {
        operationId: 'getRun',
        summary: 'Read an imported run',
        tags: ['runs'],
        params: NameParams,
        response: {
          200: {
            description: 'The run',
            content: {
              'application/json': { schema: RunDetail },
              'text/plain': textResponse,
            },
          },
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const { name } = request.params;
      const run = await findRun(db, name);
      if (!run) throw new NotFoundError('Run', name);
      const type = negotiate(request, ['application/json', 'text/plain']);
      if (setEntityTag(request, reply, [run.contentHash, type])) return reply;
      if (type === 'text/plain') {
        const stream = await writeTrec(() => mapStream(streamRankings(db, name), toTrec(name)));
        return sendStream(reply, { type: 'text/plain; charset=utf-8', stream });
      }
      const entries = mapStream(streamRankings(db, name), toJsonMember);
      const stream = streamJson(run, 'rankings', { brackets: '{}', entries });
      return sendStream(reply, { type, stream });
    },
  );

  app.delete(
    '/runs/:name',
    {
      schema: {
        operationId: 'deleteRun',
        summary: 'Delete an imported run',
        tags: ['runs'],
        params: NameParams,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeRun(db, request.params.name);
      return reply.code(204).send();
    },
  );
};

function toTrec(tag: string) {
  return ({ questionId, hits }: ImportedRanking) =>
    formatRanking(questionId, hits, tag)
      .map((line) => `${line}\n`)
      .join('');
}

function toJsonMember({ questionId, hits }: ImportedRanking): string {
  const wire = hits.map(({ documentId, score }) =>
    score === null ? { documentId } : { documentId, score },
  );
  return `${JSON.stringify(questionId)}:${JSON.stringify(wire)}`;
}
