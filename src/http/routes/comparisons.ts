import type { FastifyPluginAsyncZodOpenApi, FastifyZodOpenApiSchema } from 'fastify-zod-openapi';

import { InvalidInputError } from '../../errors.ts';
import { adjustFamily, compareRuns } from '../../evaluation/comparison/compare-runs.ts';
import { listPairs } from '../../evaluation/comparison/list-pairs.ts';
import { planPower } from '../../evaluation/comparison/plan-power.ts';
import { parseMeasures, parseOneMeasure } from '../../evaluation/measures/resolve-measures.ts';
import { ComparisonInput, toPairs } from '../../schemas/comparison-input.ts';
import { ComparisonResponse } from '../../schemas/comparison.ts';
import { PowerInput, PowerPlan, toComparedRuns } from '../../schemas/power.ts';
import { textResponse } from '../../schemas/bodies.ts';
import { busyResponse, problemResponse } from '../../schemas/problem.ts';
import { streamComparison, streamFamily } from '../answers/comparison-text.ts';
import { sendStream } from '../answers/streams.ts';
import { comparisonsAsMarkdown, streamComparisonsCsv } from '../answers/table-text.ts';
import { csvType, negotiate } from '../bodies/media-types.ts';
import type { TenantDatabases } from '../access/tenant-databases.ts';

export interface ComparisonRoutesOptions {
  readonly dbFor: TenantDatabases;
}

export const comparisonRoutes: FastifyPluginAsyncZodOpenApi<ComparisonRoutesOptions> = async (
  app,
  { dbFor },
) => {
  app.post(
    '/compare',
    {
      schema: {
        operationId: 'compareRuns',
        summary: 'Compare two runs question by question, with significance tests',
        tags: ['comparisons'],
        body: ComparisonInput,
        response: {
          200: {
            description: 'The comparison, or the comparisons',
            content: {
              'application/json': { schema: ComparisonResponse },
              'text/markdown': textResponse,
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
      const type = negotiate(request, ['application/json', 'text/markdown', 'text/csv']);
      const { candidates, measure, measures, pairs: all, ...body } = request.body;
      const names = measures ?? [measure ?? ''];
      const parsed = parseMeasures(names, measures ? '/body/measures' : '/body/measure');
      const pairs = all ? await listPairs(db, body.evaluation ?? '') : toPairs(request.body);
      refuseTooMany(pairs.length * parsed.length);
      const compared = await compareRuns(db, pairs, { ...body, measures: parsed });
      const [only] = compared;
      const isFamily = [all, candidates, measures].some((field) => field !== undefined);
      const isOne = !isFamily && only !== undefined;
      const family = isOne ? compared : adjustFamily(compared, body.confidence);
      if (type === 'text/csv') {
        return sendStream(reply, { type: csvType, stream: streamComparisonsCsv(family) });
      }
      if (type === 'text/markdown') {
        return reply.type(`${type}; charset=utf-8`).send(comparisonsAsMarkdown(family));
      }
      const stream = isOne ? streamComparison(only) : streamFamily(family);
      return sendStream(reply, { type: 'application/json', stream });
    },
  );

  app.post(
    '/power',
    {
      schema: {
        operationId: 'planPower',
        summary: 'Compute the minimum detectable difference or the required sample size',
        tags: ['comparisons'],
        body: PowerInput,
        response: { 200: PowerPlan, 503: busyResponse(), default: problemResponse() },
      } satisfies FastifyZodOpenApiSchema,
    },
    async (request) => {
      const { n, sd, difference, power, alpha, measure: name } = request.body;
      const measure = name === undefined ? undefined : parseOneMeasure(name, '/body/measure');
      const compared = toComparedRuns(request.body);
      return planPower(dbFor(request), { n, sd, difference, power, alpha, measure, compared });
    },
  );
};

/** Each has a line a question. */
const maxComparisons = 400;

function refuseTooMany(comparisons: number): void {
  if (comparisons <= maxComparisons) return;
  const detail = `makes ${comparisons} comparisons with these sides; at most ${maxComparisons} are allowed`;
  throw new InvalidInputError('Too many comparisons', [{ pointer: '/body/measures', detail }]);
}
