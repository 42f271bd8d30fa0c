import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import type { z } from 'zod';

import { InvalidInputError } from '../../errors.ts';
import { addJudgments, type NewJudgment } from '../../evaluation/question-sets/add-judgments.ts';
import { listJudgments } from '../../evaluation/question-sets/list-judgments.ts';
import { NameParams, PageQuery } from '../../schemas/vocabulary.ts';
import { gradedPoolBody } from '../../schemas/bodies.ts';
import {
  JudgmentPage,
  JudgmentsInput,
  JudgmentsQuery,
  JudgmentsSaved,
} from '../../schemas/judgment.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { toPageRequest, toWirePage } from '../answers/cursors.ts';
import { isStream } from '../bodies/file-body.ts';
import { readVerdictBody } from '../bodies/verdict-body.ts';
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
      config: { consumes: ['application/json', 'text/csv'], holdsLines: true },
      schema: {
        operationId: 'addJudgments',
        summary: 'Add the judgments of one judge as a new version of a question set',
        description:
          'Judgments are added to those that exist. As `text/csv`, the body is the CSV of a pool with grades. A judgment may remove the last relevant document of a question: the question then scores 0 and stays in the means, and a warning names it.',
        tags: ['question sets'],
        params: NameParams,
        querystring: JudgmentsQuery,
        body: {
          required: true,
          content: {
            'application/json': { schema: JudgmentsInput },
            'text/csv': gradedPoolBody,
          },
        },
        response: { 200: JudgmentsSaved, 201: JudgmentsSaved, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      const { name } = request.params;
      const before = await getQuestionSet(db, name);
      const { judgments, judge: named, pointer } = await readJudgments(request, maxBodyBytes);
      const judge = findJudge(named, getPrincipal(request), pointer);
      const added = await addJudgments(db, name, { judgments, judge, now: now() });
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

interface GivenJudgments {
  readonly judgments: readonly NewJudgment[];
  readonly judge?: string | undefined;
  /** Where the request names the judge. */
  readonly pointer: string;
}

async function readJudgments(
  request: FastifyRequest<{ Querystring: z.infer<typeof JudgmentsQuery> }>,
  maxBytes: number,
): Promise<GivenJudgments> {
  const { body } = request;
  const { judge, encoding } = request.query;
  if (isStream(body)) {
    const judgments = await readVerdictBody(body, { maxBytes, encoding });
    return { judgments, judge, pointer: '/query/judge' };
  }
  const errors = Object.keys(request.query).map((name) => ({
    pointer: `/query/${name}`,
    detail: 'goes with text/csv only',
  }));
  if (errors.length > 0) throw new InvalidInputError('Invalid query', errors);
  return { ...(body as z.infer<typeof JudgmentsInput>), pointer: '/body/judge' };
}
