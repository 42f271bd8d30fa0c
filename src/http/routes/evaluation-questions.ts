import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { InvalidInputError } from '../../errors.ts';
import type { ResultCache } from '../../evaluation/lifecycle/result-cache.ts';
import { listQuestionResults } from '../../evaluation/scoring/list-question-results.ts';
import { showDocument } from '../../evaluation/scoring/show-document.ts';
import { showQuestion } from '../../evaluation/scoring/show-question.ts';
import { readQuestionTable } from '../../evaluation/scoring/read-question-table.ts';
import { tabulateQuestions } from '../../evaluation/scoring/tabulate-questions.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import { textResponse } from '../../schemas/bodies.ts';
import { DocumentInput } from '../../schemas/corpus.ts';
import { EvaluationParams } from '../../schemas/evaluation.ts';
import { busyResponse, problemResponse } from '../../schemas/problem.ts';
import { QuestionResultPage } from '../../schemas/question-result.ts';
import { QuestionTable, TableQuery } from '../../schemas/question-table.ts';
import {
  DocumentQuery,
  QuestionRankings,
  RankingsQuery,
  toQuestionRankings,
} from '../../schemas/shown-question.ts';
import { Name, PageQuery } from '../../schemas/vocabulary.ts';
import type { Database } from '../../storage/database/database.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { toNumberedPageRequest, toWirePage } from '../answers/cursors.ts';
import { mapStream, sendStream, streamJson } from '../answers/streams.ts';
import { streamQuestionsCsv } from '../answers/table-text.ts';
import { csvType, negotiate } from '../bodies/media-types.ts';

export interface EvaluationQuestionRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly memory: ResultCache;
  readonly retrievers: RetrieverRegistry;
}

const ListQuery = PageQuery.extend({
  configuration: Name.optional().meta({
    description:
      'Lists the questions of this configuration with their rankings. Default: a table of all configurations, which the other parameters select from and sort.',
  }),
  ...TableQuery,
});
type ListQuery = z.infer<typeof ListQuery>;

export const evaluationQuestionRoutes: FastifyPluginAsyncZodOpenApi<
  EvaluationQuestionRoutesOptions
> = async (app, { dbFor, memory, retrievers }) => {
  app.get(
    '/eval/:id/questions',
    {
      schema: {
        operationId: 'listQuestionResults',
        summary: 'List the questions with the results of one configuration or of all side by side',
        description:
          'With `configuration`: measures, rankings and failures of that configuration. Without: a row per question with the measures of each configuration and the rank of its first relevant document. As CSV: one row for each question, one column for each measure and configuration, without paging.',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: ListQuery,
        response: {
          200: {
            description: 'A page of questions',
            content: {
              'application/json': { schema: z.union([QuestionResultPage, QuestionTable]) },
              'text/csv': textResponse,
            },
          },
          503: busyResponse(),
          default: problemResponse(),
        },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { id } = request.params;
      const { configuration } = request.query;
      if (negotiate(request, ['application/json', 'text/csv']) === 'text/csv') {
        refuseTableQuery(request.query);
        const table = await tabulateQuestions(db, id, configuration);
        return sendStream(reply, { type: csvType, stream: streamQuestionsCsv(table) });
      }
      if (configuration === undefined) {
        return reply.send(await readTable({ db, memory }, id, request.query));
      }
      refuseTableQuery(request.query);
      const { limit, after = '-1' } = toNumberedPageRequest(request.query);
      const page = await listQuestionResults(db, id, {
        configuration,
        limit,
        after: Number(after),
      });
      const { items, nextCursor } = toWirePage(page, (result) => result);
      const entries = mapStream(items, (result) => JSON.stringify(result));
      const stream = streamJson({ nextCursor }, 'items', { brackets: '[]', entries });
      return sendStream(reply, { type: 'application/json', stream });
    },
  );

  app.get(
    '/eval/:id/rankings',
    {
      schema: {
        operationId: 'getRankings',
        summary:
          'Get the rankings of all configurations for one question, with titles and snippets',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: RankingsQuery,
        response: { 200: QuestionRankings, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { question: questionId, depth } = request.query;
      const context = { db: dbFor(request), retrievers };
      const shown = await showQuestion(context, request.params.id, { questionId, depth });
      return toQuestionRankings(shown);
    },
  );

  app.get(
    '/eval/:id/document',
    {
      schema: {
        operationId: 'getFoundDocument',
        summary: 'Get the whole text of a document that an evaluation found',
        description:
          'For corpora of the `local` backend that have not changed since; 404 for other backends, which keep their texts.',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: DocumentQuery,
        response: { 200: DocumentInput, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      (await showDocument(dbFor(request), request.params.id, request.query.documentId)) as z.infer<
        typeof DocumentInput
      >,
  );
};

async function readTable(
  context: { readonly db: Database; readonly memory: ResultCache },
  id: string,
  query: ListQuery,
): Promise<z.infer<typeof QuestionTable>> {
  const { measure, sort = 'position', by, only, k, q, kind, process } = query;
  const { language, user, split, tags } = query;
  const { limit, after = '0' } = toNumberedPageRequest(query);
  const given = Object.entries({ kind, process, language, user, split, tags });
  const page = await readQuestionTable(context, id, {
    k,
    measure,
    order: sort,
    by,
    only,
    text: q,
    attributes: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    limit,
    after: Number(after),
  });
  const { configurations, total } = page;
  const { items, nextCursor } = toWirePage(page, ({ position: _position, ...row }) => row);
  const wire = { measure: page.measure, configurations, total, items, nextCursor };
  return wire as z.infer<typeof QuestionTable>;
}

/** A misplaced parameter must never be ignored. */
function refuseTableQuery({
  configuration: _c,
  limit: _l,
  cursor: _n,
  k: _k,
  ...rest
}: ListQuery): void {
  const errors = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({
      pointer: `/query/${name}`,
      detail: 'goes with JSON of all configurations only',
    }));
  if (errors.length > 0) throw new InvalidInputError('Invalid query', errors);
}
