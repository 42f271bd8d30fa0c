import { z } from 'zod';

import { InvalidInputError } from '../errors.ts';
import type { RunReference } from '../evaluation/read-run.ts';
import { BootstrapInterval } from './bootstrap-interval.ts';
import { Name, nonEmptyText } from './vocabulary.ts';

const Side = z.union([Name, z.strictObject({ evaluation: nonEmptyText(64), configuration: Name })]);
const MeasureName = z.string().max(64);

export const ComparisonInput = z
  .strictObject({
    evaluation: nonEmptyText(64).optional().meta({
      description: 'Needed when a side is only the name of a configuration.',
    }),
    baseline: Side,
    candidate: Side.optional(),
    candidates: z.array(Side).min(1).max(20).optional(),
    measure: MeasureName.optional(),
    measures: z.array(MeasureName).min(1).max(20).optional(),
    confidence: z.number().min(0.5).max(0.999).default(0.95),
    resamples: z.int().min(1000).max(100_000).default(10_000),
    permutations: z.int().min(1000).max(1_000_000).default(100_000),
    seed: z.int().min(0).max(4_294_967_295).default(1),
  })
  .superRefine((request, context) => {
    const pairs = [
      ['candidate', 'candidates'],
      ['measure', 'measures'],
    ] as const;
    for (const [one, many] of pairs) {
      if ((request[one] === undefined) !== (request[many] === undefined)) continue;
      const message = `a request has either "${one}" or "${many}"`;
      context.addIssue({ code: 'custom', path: [one], message });
    }
  })
  .meta({
    id: 'ComparisonInput',
    example: {
      evaluation: '0b6b4d0e-6f3e-4d5c-9a35-0e8b3a5f7c11',
      baseline: 'hybrid',
      candidate: 'rerank',
      measure: 'nDCG@10',
      seed: 7,
    },
  });
export type ComparisonInput = z.infer<typeof ComparisonInput>;

const P = z.number().nullable().meta({ description: 'Never 0; null where it is undefined.' });

export const Comparison = z
  .object({
    measure: z.string(),
    baseline: z.object({ evaluation: z.string(), configuration: z.string() }),
    candidate: z.object({ evaluation: z.string(), configuration: z.string() }),
    questions: z.int().meta({ description: 'Questions scored in both.' }),
    excluded: z.object({
      unanswerable: z.int(),
      failed: z.int().meta({ description: 'Not scored on at least one side.' }),
      onlyOneSide: z.int().meta({ description: 'Asked in only one of two evaluations.' }),
    }),
    wins: z.int(),
    losses: z.int(),
    ties: z.int(),
    means: z.object({ baseline: z.number().nullable(), candidate: z.number().nullable() }),
    meanDifference: z.number().nullable(),
    interval: BootstrapInterval.nullable(),
    tests: z.object({
      randomization: z.object({ p: P, exact: z.boolean(), permutations: z.int().optional() }),
      t: z.object({ statistic: z.number().nullable(), p: P }),
      wilcoxon: z.object({
        p: P,
        exact: z.boolean(),
        winRankSum: z.number(),
        lossRankSum: z.number(),
      }),
      sign: z.object({ p: P }),
    }),
    pAdjusted: P.optional().meta({ description: 'Holm over the comparisons of one answer.' }),
    effectSize: z.number().nullable().meta({ description: "Cohen's dz." }),
    minimumDetectableDifference: z
      .number()
      .nullable()
      .meta({ description: 'At power 0.8 and the given confidence.' }),
    verdict: z.enum(['better', 'worse', 'inconclusive']),
    explanation: z.string(),
    notes: z.array(z.string()),
    perQuestion: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        baseline: z.number(),
        candidate: z.number(),
        difference: z.number(),
        outcome: z.enum(['win', 'loss', 'tie']),
      }),
    ),
  })
  .meta({ id: 'Comparison' });

export type Comparison = z.infer<typeof Comparison>;

export const ComparisonResponse = z.union([
  Comparison,
  z.object({ comparisons: z.array(Comparison) }).meta({ id: 'ComparisonFamily' }),
]);

/** Which run a side means: its own evaluation's, or that of the request. */
export function toReference(
  side: z.infer<typeof Side>,
  evaluation: string | undefined,
  pointer: string,
): RunReference {
  if (typeof side !== 'string') return side;
  if (evaluation !== undefined) return { evaluation, configuration: side };
  const detail =
    'names only a configuration; say "evaluation", or give { evaluation, configuration }';
  throw new InvalidInputError('The comparison does not say which evaluation', [
    { pointer, detail },
  ]);
}
