import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { NotFoundError } from '../../errors.ts';
import { failIfChangedDuringRead } from '../../evaluation/catalog/fail-if-changed-during-read.ts';
import { removeRun, saveRun } from '../../evaluation/catalog/save-run.ts';
import { listRunWarnings } from '../../evaluation/warnings/list-run-warnings.ts';
import { orderWarnings } from '../../model/warnings.ts';
import {
  anyTextBody,
  csvRunBody,
  ndjsonBody,
  textResponse,
  trecRunBody,
} from '../../schemas/bodies.ts';
import { fileQuery } from '../../schemas/import.ts';
import { NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import { problemResponse } from '../../schemas/problem.ts';
import {
  RanxRunInput,
  RunBody,
  RunDetail,
  RunPage,
  RunQuery,
  RunSaved,
} from '../../schemas/run.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  findRun,
  listRuns,
  streamRankings,
  type ImportedRanking,
  type ImportedRun,
} from '../../storage/catalog/runs.ts';
import { toPageRequest, toWirePage } from '../answers/cursors.ts';
import { readRunBody, toFileBody } from '../bodies/file-body.ts';
import { fileTypes, negotiate } from '../bodies/media-types.ts';
import { runTypes, sendRun } from '../answers/run-text.ts';
import { mapStream, sendStream, streamJson } from '../answers/streams.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { PreconditionHeaders, toPrecondition } from '../answers/preconditions.ts';
import { stateOfRun } from '../../evaluation/catalog/entity-states.ts';
import { setEntityTag, tagState } from '../answers/entity-tags.ts';

export interface RunRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly createId: () => string;
  readonly maxBodyBytes: number;
}

export const runRoutes: FastifyPluginAsyncZodOpenApi<RunRoutesOptions> = async (
  app,
  { dbFor, now, createId, maxBodyBytes },
) => {
  app.put(
    '/runs/:name',
    {
      bodyLimit: maxBodyBytes,
      config: { consumes: fileTypes },
      schema: {
        operationId: 'putRun',
        summary: 'Create or replace an imported run',
        description:
          'TREC runs are ordered by descending score, then by descending document id, as in trec_eval; the rank column only serves warnings. CSV and JSON with scores are ordered in the same way, CSV with ranks by rank, and JSON without scores as given. JSON may use the ranx format or lists of document ids; CSV and TSV with a header, ndjson, MS MARCO, Ragas and Azure are read as well: the content decides, or `?format=`. Text uploads are staged and become visible in one step at the end.',
        tags: ['runs'],
        params: NameParams,
        headers: PreconditionHeaders,
        querystring: fileQuery('run').omit({ grades: true }),
        body: {
          required: true,
          content: {
            'application/json': { schema: RunBody },
            'text/plain': trecRunBody,
            'text/csv': csvRunBody,
            'text/tab-separated-values': csvRunBody,
            'application/x-ndjson': ndjsonBody,
            'application/octet-stream': anyTextBody,
          },
        },
        response: { 200: RunSaved, 201: RunSaved, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const file = toFileBody(request, request.query, maxBodyBytes);
      const saved = await saveRun(
        { db: dbFor(request), id: createId(), now },
        request.params.name,
        readRunBody(file),
        toPrecondition(request),
      );
      tagState(reply, stateOfRun(saved.run));
      const found = [...listRunWarnings(saved.notes), ...file.notes.toWarnings()];
      const warnings = [...orderWarnings(found)];
      return reply.code(saved.isNew ? 201 : 200).send({ ...saved.run, warnings });
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
    async (request) =>
      toWirePage(await listRuns(dbFor(request), toPageRequest(request.query)), (run) => run),
  );

  app.get(
    '/runs/:name',
    {
      schema: {
        operationId: 'getRun',
        summary: 'Get an imported run as JSON, TREC run, CSV or ranx',
        description: 'The header Format-Losses lists what the chosen format cannot represent.',
        tags: ['runs'],
        params: NameParams,
        querystring: RunQuery,
        response: {
          200: {
            description: 'The run',
            content: {
              'application/json': { schema: z.union([RunDetail, RanxRunInput]) },
              'text/plain': textResponse,
              'text/csv': textResponse,
            },
          },
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { name } = request.params;
      const run = await findRun(db, name);
      if (!run) throw new NotFoundError('Run', name);
      const form = request.query.format ?? negotiate(request, runTypes);
      if (setEntityTag(request, reply, { state: stateOfRun(run), parts: [form] })) return reply;
      if (form !== 'application/json') {
        return sendRun(reply, form, { name, read: () => readStored(db, run) });
      }
      const entries = mapStream(readStored(db, run), toJsonMember);
      const stream = streamJson(run, 'rankings', { brackets: '{}', entries });
      return sendStream(reply, { type: form, stream });
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
        headers: PreconditionHeaders,
        response: { 204: { description: 'Deleted' }, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      await removeRun(dbFor(request), request.params.name, now(), toPrecondition(request));
      return reply.code(204).send();
    },
  );
};

function toJsonMember({ questionId, hits }: ImportedRanking): string {
  const wire = hits.map(({ documentId, score }) =>
    score === null ? { documentId } : { documentId, score },
  );
  return `${JSON.stringify(questionId)}:${JSON.stringify(wire)}`;
}

function readStored(
  db: Database,
  { name, contentHash }: ImportedRun,
): AsyncGenerator<ImportedRanking> {
  const source = { kind: 'run', name, contentHash } as const;
  return failIfChangedDuringRead(db, streamRankings(db, name), source);
}
