import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { adjustFamily, compareRuns } from '../../evaluation/compare-runs.ts';
import { parseMeasures } from '../../evaluation/resolve-measures.ts';
import {
  type Comparison,
  ComparisonInput,
  ComparisonResponse,
  toReference,
} from '../../schemas/comparison.ts';
import { problemResponse } from '../../schemas/problem.ts';
import type { Database } from '../../storage/database.ts';

export interface ComparisonRoutesOptions {
  readonly db: Database;
}

export const comparisonRoutes: FastifyPluginAsyncZodOpenApi<ComparisonRoutesOptions> = async (
  app,
  { db },
) => {
  app.post(
    '/compare',
    {
      schema: {
        operationId: 'compareRuns',
        summary: 'Test whether two runs really differ, question by question',
        tags: ['comparisons'],
        body: ComparisonInput,
        response: { 200: ComparisonResponse, default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { candidate, candidates, measure, measures, ...body } = request.body;
      const names = measures ?? [measure ?? ''];
      const compared = await compareRuns(db, {
        ...body,
        baseline: toReference(body.baseline, body.evaluation, '/body/baseline'),
        candidates: (candidates ?? [candidate ?? '']).map((side, index) =>
          toReference(
            side,
            body.evaluation,
            candidates ? `/body/candidates/${index}` : '/body/candidate',
          ),
        ),
        measures: parseMeasures(names, measures ? '/body/measures' : '/body/measure'),
      });
      const [only] = compared;
      const isFamily = candidates !== undefined || measures !== undefined;
      if (!isFamily && only) return only as Comparison;
      return { comparisons: [...adjustFamily(compared)] as Comparison[] };
    },
  );
};
