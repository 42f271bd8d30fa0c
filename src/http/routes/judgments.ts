import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { addJudgments } from '../../evaluation/question-sets/add-judgments.ts';
import { listJudgments } from '../../evaluation/question-sets/list-judgments.ts';
import { NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import { JudgmentPage, JudgmentsInput, JudgmentsSaved } from '../../schemas/judgment.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { toPageRequest, toWirePage } from '../answers/cursors.ts';
import { findJudge } from '../access/judge.ts';
import { getPrincipal } from '../access/principal.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';
import { getQuestionSet } from './question-sets.ts';

export interface JudgmentRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly maxBodyBytes: number;
}

export const judgmentRoutes: FastifyPluginAsyncZodOpenApi<JudgmentRoutesOptions> = async (
  app,
  { dbFor, now, maxBodyBytes },
) => {
  app.post(
    '/question-sets/:name/judgments',
    {
      bodyLimit: maxBodyBytes,
      schema: {
        operationId: 'addJudgments',
        summary: 'Add the judgments of one judge as a new version of a question set',
        description:
          'A judgment may remove the last relevant document of a question: the question then scores 0 and stays in the means, and a warning names it.',
        tags: ['question sets'],
        params: NameParams,
        body: JudgmentsInput,
        response: { 200: JudgmentsSaved, 201: JudgmentsSaved, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { name } = request.params;
      const before = await getQuestionSet(db, name);
      const judge = findJudge(request.body.judge, getPrincipal(request));
      const added = await addJudgments(db, name, { ...request.body, judge, now: now() });
      return reply
        .code(added.version === before.version ? 200 : 201)
        .send({ ...added, warnings: [...added.warnings] });
    },
  );

  app.get(
    '/question-sets/:name/judgments',
    {
      schema: {
        operationId: 'listJudgments',
        summary: 'List judgments with judge and time, in the order of the questions',
        description:
          'All pages come from the version that the first page was read from, regardless of later additions.',
        tags: ['question sets'],
        params: NameParams,
        querystring: PageQuery,
        response: { 200: JudgmentPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const db = dbFor(request);
      const { name, version } = await getQuestionSet(db, request.params.name);
      const page = await listJudgments(
        db,
        { questionSet: name, version },
        toPageRequest(request.query),
      );
      return toWirePage(page, (judgment) => judgment);
    },
  );
};
