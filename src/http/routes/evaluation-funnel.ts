import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import type { ResultCache } from '../../evaluation/lifecycle/result-cache.ts';
import { findDepthCurves } from '../../evaluation/analysis/find-depth-curves.ts';
import { readAblation } from '../../evaluation/analysis/read-ablation.ts';
import { listLosses, readDiagnosis } from '../../evaluation/diagnosis/read-diagnosis.ts';
import { findScoreCurve } from '../../evaluation/analysis/find-score-curve.ts';
import { findPareto } from '../../evaluation/analysis/find-pareto.ts';
import { parseMeasures, parseOneMeasure } from '../../evaluation/measures/resolve-measures.ts';
import { Ablation, AblationQuery } from '../../schemas/ablation.ts';
import { DepthCurveQuery, DepthCurves } from '../../schemas/depth-curve.ts';
import {
  Diagnosis,
  DiagnosisQuery,
  LossQuery,
  QuestionLossesPage,
  toQuestionLosses,
} from '../../schemas/diagnosis.ts';
import { EvaluationParams } from '../../schemas/evaluation.ts';
import { Pareto, ParetoQuery } from '../../schemas/pareto.ts';
import { busyResponse, problemResponse } from '../../schemas/problem.ts';
import { ScoreCurve, ScoreCurveQuery } from '../../schemas/score-curve.ts';
import { toNumberedPageRequest, toWirePage } from '../answers/cursors.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface EvaluationFunnelRoutesOptions {
  readonly dbFor: TenantDatabases;
  readonly memory: ResultCache;
}

/** What each step of a search buys, read off stored rankings. */
export const evaluationFunnelRoutes: FastifyPluginAsyncZodOpenApi<
  EvaluationFunnelRoutesOptions
> = async (app, { dbFor, memory }) => {
  app.get(
    '/eval/:id/depth-curve',
    {
      schema: {
        operationId: 'getDepthCurve',
        summary: 'Get each measure as a function of ranking depth',
        description:
          'For each N, the value of the measure if only the first N documents were kept, and the oracle line: what a perfect re-ranker of those N documents would reach. Computed from stored rankings; nothing is searched.',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: DepthCurveQuery,
        response: { 200: DepthCurves, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const db = dbFor(request);
      const { measure, ...cut } = request.query;
      const names = typeof measure === 'string' ? [measure] : measure;
      const measures = names && parseMeasures(names, '/query/measure');
      const asked = { ...cut, measures };
      return (await findDepthCurves({ db, memory }, request.params.id, asked)) as DepthCurves;
    },
  );

  app.get(
    '/eval/:id/score-curve',
    {
      schema: {
        operationId: 'getScoreCurve',
        summary: 'Get precision, recall and remaining hits at each minimum score',
        description:
          'For each minimum score: the number of relevant, other and unjudged hits that remain, precision and recall, and the number of questions left without hits. Use it to choose `minScore`. Computed from stored rankings; nothing is searched.',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: ScoreCurveQuery,
        response: { 200: ScoreCurve, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      (await findScoreCurve(
        { db: dbFor(request), memory },
        request.params.id,
        request.query,
      )) as ScoreCurve,
  );

  app.get(
    '/eval/:id/pareto',
    {
      schema: {
        operationId: 'getPareto',
        summary: 'Get the Pareto front of quality versus latency, calls and cost',
        description:
          'A configuration dominates another one if it is at least as good on every axis and better on at least one.',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: ParetoQuery,
        response: { 200: Pareto, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const db = dbFor(request);
      const { against, measure, prices } = request.query;
      const asked = {
        measure: parseOneMeasure(measure, '/query/measure'),
        against: typeof against === 'string' ? [against] : [...new Set(against)],
        prices,
      };
      return (await findPareto({ db, memory }, request.params.id, asked)) as Pareto;
    },
  );

  app.get(
    '/eval/:id/diagnosis',
    {
      schema: {
        operationId: 'getDiagnosis',
        summary: 'Get the diagnosis: the step at which relevant documents are lost',
        description:
          'Each relevant document outside the top k has exactly one cause. Computed from stored data; nothing is searched.',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: DiagnosisQuery,
        response: { 200: Diagnosis, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) =>
      (await readDiagnosis(
        { db: dbFor(request), memory },
        request.params.id,
        request.query,
      )) as Diagnosis,
  );

  app.get(
    '/eval/:id/diagnosis/questions',
    {
      schema: {
        operationId: 'listLosses',
        summary: 'List the questions that lack relevant documents, with causes and ranks',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: LossQuery,
        response: { 200: QuestionLossesPage, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { limit, after = '-1' } = toNumberedPageRequest(request.query);
      const asked = { ...request.query, limit, after: Number(after) };
      return toWirePage(
        await listLosses(dbFor(request), request.params.id, asked),
        toQuestionLosses,
      );
    },
  );

  app.get(
    '/eval/:id/ablation',
    {
      schema: {
        operationId: 'getAblation',
        summary: 'Get the gains and losses of each pipeline stage',
        description:
          'For evaluations with `"ablate": true`: compares each configuration with and without each stage, over the same questions.',
        tags: ['evaluations'],
        params: EvaluationParams,
        querystring: AblationQuery,
        response: { 200: Ablation, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { measure, configuration, limit } = request.query;
      const asked = { configuration, limit, measure: parseOneMeasure(measure, '/query/measure') };
      return (await readAblation(
        { db: dbFor(request), memory },
        request.params.id,
        asked,
      )) as Ablation;
    },
  );
};
