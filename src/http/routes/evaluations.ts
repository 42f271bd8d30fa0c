import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';
import { z } from 'zod';

import { AppError, InvalidInputError } from '../../errors.ts';
import { createEvaluation } from '../../evaluation/planning/create-evaluation.ts';
import { describeEvaluation } from '../../evaluation/lifecycle/describe-evaluation.ts';
import { dryRunEvaluation } from '../../evaluation/planning/dry-run.ts';
import { rescoreEvaluation } from '../../evaluation/planning/rescore-evaluation.ts';
import { retryFailed } from '../../evaluation/planning/retry-failed.ts';
import { waitForEvaluation } from '../../evaluation/lifecycle/wait-for-evaluation.ts';
import type { EvaluationJobs } from '../../jobs/evaluation-jobs.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import { nonEmptyText, PageQuery } from '../../schemas/vocabulary.ts';
import { DryRun } from '../../schemas/dry-run.ts';
import {
  EvaluationAccepted,
  EvaluationDetail,
  EvaluationPage,
  EvaluationParams,
  toEvaluationDetail,
  toEvaluationSummary,
} from '../../schemas/evaluation.ts';
import { EvaluationInput, RescoreInput } from '../../schemas/evaluation-input.ts';
import { problemResponse } from '../../schemas/problem.ts';
import { listEvaluations } from '../../storage/evaluations/evaluation-heads.ts';
import { getPrincipal } from '../access/principal.ts';
import { createClosingSignal } from '../closing-signal.ts';
import { enqueueFor } from '../correlation.ts';
import { toPageRequest, toWirePage } from '../answers/cursors.ts';
import { readWaitSeconds } from '../answers/prefer.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface EvaluationRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly now: () => string;
  readonly createId: () => string;
  readonly jobs: EvaluationJobs;
  readonly retrievers: RetrieverRegistry;
}

const started = {
  200: EvaluationDetail,
  202: EvaluationAccepted,
  default: problemResponse(),
} as const;

const startedOrEstimated = {
  200: z.union([EvaluationDetail, DryRun]),
  202: EvaluationAccepted,
  default: problemResponse(),
} as const;

const StartHeaders = z.looseObject({
  prefer: z.string().optional().meta({
    description:
      '`wait=30`: wait up to that many seconds and answer with the finished evaluation if it ends in time. Other preferences are ignored.',
  }),
});

export const evaluationRoutes: FastifyPluginAsyncZodOpenApi<EvaluationRoutesOptions> = async (
  app,
  { dbFor, now, createId, jobs, retrievers },
) => {
  const { findObstacle } = retrievers;
  const closing = createClosingSignal(app);

  /** 202 at once, or what `Prefer: wait` asks for. */
  async function answerStarted(request: FastifyRequest, reply: FastifyReply, id: string) {
    reply.header('location', `/v1/eval/${id}`);
    const seconds = readWaitSeconds(request.headers['prefer']);
    const db = dbFor(request);
    if (seconds > 0) {
      reply.header('preference-applied', `wait=${seconds}`);
      const signal = AbortSignal.any([request.signal, closing]);
      const options = { timeoutMs: seconds * 1000, signal };
      if (await waitForEvaluation(db, id, options)) {
        const detail = toEvaluationDetail(await describeEvaluation(db, id, now()));
        return reply.code(200).send(mayRead(request) ? detail : hideTexts(detail));
      }
    }
    const { evaluation } = await describeEvaluation(db, id, now());
    return reply.code(202).send({ id, status: evaluation.status });
  }

  app.post(
    '/eval',
    {
      schema: {
        operationId: 'createEvaluation',
        summary: 'Create an evaluation: search and score every question with every configuration',
        description:
          'With `dryRun=true` nothing is stored, and nothing is searched unless `probe` is set: the answer estimates what the evaluation would cost.',
        tags: ['evaluations'],
        querystring: z.strictObject({ dryRun: z.enum(['true', 'false']).default('false') }),
        headers: StartHeaders.extend({
          'idempotency-key': nonEmptyText(255).optional().meta({
            description: 'A repeated request with the same key returns the first evaluation.',
          }),
        }),
        body: EvaluationInput,
        response: startedOrEstimated,
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const db = dbFor(request);
      if (request.query.dryRun === 'true') {
        if (!mayRead(request)) throw new AppError('forbidden', 'A dry run requires the scope Read');
        const { signal } = request;
        const dryRun = await dryRunEvaluation({ db, retrievers, signal }, request.body);
        return reply.code(200).send(dryRun as DryRun);
      }
      if (request.body.probe === true) {
        const errors = [{ pointer: '/body/probe', detail: 'requires dryRun=true' }];
        throw new InvalidInputError('An evaluation always sends every question', errors);
      }
      const idempotencyKey = request.headers['idempotency-key'];
      const identity = { id: createId(), now: now(), idempotencyKey, findObstacle };
      const { id, isNew } = await createEvaluation(db, request.body, identity);
      if (isNew) await enqueueFor(request, { db, jobs, id });
      return answerStarted(request, reply, id);
    },
  );

  app.get(
    '/eval',
    {
      schema: {
        operationId: 'listEvaluations',
        summary: 'List evaluations, newest first',
        tags: ['evaluations'],
        querystring: PageQuery,
        response: { 200: EvaluationPage, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      toWirePage(
        await listEvaluations(dbFor(request), toPageRequest(request.query)),
        toEvaluationSummary,
      ),
  );

  app.get(
    '/eval/:id',
    {
      schema: {
        operationId: 'getEvaluation',
        summary: 'Get an evaluation with its progress and, once finished, its scorecard',
        tags: ['evaluations'],
        params: EvaluationParams,
        response: { 200: EvaluationDetail, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      toEvaluationDetail(await describeEvaluation(dbFor(request), request.params.id, now())),
  );

  app.post(
    '/eval/:id/rescore',
    {
      schema: {
        operationId: 'rescoreEvaluation',
        summary: 'Score the stored rankings against another version of the question set',
        description: 'Nothing is searched. Questions that the stored rankings lack are `failed`.',
        tags: ['evaluations'],
        params: EvaluationParams,
        headers: StartHeaders,
        body: RescoreInput.nullish(),
        response: started,
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const id = createId();
      const db = dbFor(request);
      await rescoreEvaluation(db, request.params.id, {
        ...request.body,
        id,
        now: now(),
      });
      await enqueueFor(request, { db, jobs, id });
      return answerStarted(request, reply, id);
    },
  );

  app.post(
    '/eval/:id/retry-failed',
    {
      schema: {
        operationId: 'retryFailedQuestions',
        summary: 'Retry the failed questions of an evaluation',
        description:
          'Runs the same evaluation again. Only failed questions are searched; then the evaluation is scored again.',
        tags: ['evaluations'],
        params: EvaluationParams,
        headers: StartHeaders,
        response: started,
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request, reply) => {
      const { id } = request.params;
      const db = dbFor(request);
      await retryFailed(db, id, { findObstacle, now: now() });
      await enqueueFor(request, { db, jobs, id });
      return answerStarted(request, reply, id);
    },
  );
};

function mayRead(request: FastifyRequest): boolean {
  return getPrincipal(request).scopes.has('Read');
}

function hideTexts({ gate, ...detail }: EvaluationDetail): EvaluationDetail {
  const configurations = gate?.configurations.map(({ fellMost, ...decision }) => ({
    ...decision,
    ...(fellMost && { fellMost: fellMost.map((fallen) => ({ ...fallen, text: null })) }),
  }));
  return { ...detail, gate: gate && { ...gate, configurations: configurations ?? [] } };
}
