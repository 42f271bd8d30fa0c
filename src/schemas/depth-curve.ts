import { z } from 'zod';

import { curveLists } from '../evaluation/analysis/find-depth-curves.ts';
import { Name } from './vocabulary.ts';
import { queryIntOr } from './query-numbers.ts';

const MeasureName = z.string().max(64);

export const DepthCurveQuery = z.strictObject({
  configuration: Name,
  measure: z
    .union([MeasureName, z.array(MeasureName).min(1).max(20)])
    .optional()
    .meta({ description: 'May be repeated. Default: the measures of the evaluation.' }),
  depth: queryIntOr(100, { least: 1, most: 1000 }).meta({
    description: 'The largest N.',
    example: 100,
  }),
  list: z.enum(curveLists).default('final').meta({
    description:
      '`shortlist`: the fused ranking given to the re-ranker, to see how many candidates it needs. Without a pipeline, both are the same.',
  }),
});

const CurvePoint = z.object({ n: z.int(), value: z.number() });

const CurveLine = z
  .object({
    values: z
      .array(z.number().nullable())
      .meta({ description: 'The mean for N = 1, 2, …; null if there are no questions.' }),
    knee: CurvePoint.nullable().meta({
      description:
        'The point farthest above the straight line from the first to the last value (Kneedle); null if the curve does not rise or never lies above that line.',
    }),
    plateau: CurvePoint.nullable().meta({
      description: 'The smallest N from which the curve stays within 0.01 of its last value.',
    }),
  })
  .meta({ id: 'CurveLine' });

export const DepthCurves = z
  .object({
    configuration: z.string(),
    depth: z.int(),
    list: z.enum(curveLists),
    questions: z.int().meta({ description: 'Scored questions, over which the means are taken.' }),
    shorterRankings: z.int().meta({
      description:
        'Questions whose ranking has fewer than `depth` documents: their curves stay constant from there.',
    }),
    curves: z.array(
      z.object({
        measure: z.string(),
        kept: CurveLine.meta({
          description: 'With the first N documents of each ranking, in their order.',
        }),
        oracle: CurveLine.nullable().meta({
          description:
            'With those N documents in the best order: what a perfect re-ranker would reach. null for judged@k.',
        }),
      }),
    ),
  })
  .meta({ id: 'DepthCurves' });
export type DepthCurves = z.infer<typeof DepthCurves>;
