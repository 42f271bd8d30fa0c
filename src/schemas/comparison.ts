import { z } from 'zod';

import { InvalidInputError } from '../errors.ts';
import type { RunPair, RunReference } from '../evaluation/comparison/read-run.ts';
import { sliceDimensions } from '../model/question.ts';
import { strengths } from '../ir/statistics/strength.ts';
import { MeanInterval } from './mean-interval.ts';
import { Bounds, Decision } from './bounds.ts';
import { Name, nonEmptyText, Warning } from './vocabulary.ts';

/** One side: a configuration of the request's evaluation, or of another. */
export const Side = z.union([
  Name,
  z.strictObject({ evaluation: nonEmptyText(64), configuration: Name }),
]);
const MeasureName = z.string().max(64);

export const ComparisonInput = z
  .strictObject({
    evaluation: nonEmptyText(64).optional().meta({
      description: 'Required if a side is only the name of a configuration.',
    }),
    baseline: Side.optional().meta({ description: 'Required unless "pairs" is given.' }),
    candidate: Side.optional(),
    candidates: z.array(Side).min(1).max(20).optional().meta({
      description: 'Duplicates are dropped, so that none is tested twice.',
    }),
    pairs: z.literal('all').optional().meta({
      description:
        'Instead of sides: compares every pair of configurations of the evaluation, at most 400 comparisons.',
    }),
    measure: MeasureName.optional(),
    measures: z.array(MeasureName).min(1).max(20).optional().meta({
      description: 'Duplicates are dropped, also under another alias.',
    }),
    sliceBy: z.array(z.enum(sliceDimensions)).max(sliceDimensions.length).optional().meta({
      description:
        'Also compares the questions of each value of these attributes, without a verdict.',
    }),
    bounds: z.boolean().optional().meta({
      description:
        'Also computes the range of the mean difference over all possible grades of the unjudged documents.',
    }),
    equivalence: z
      .strictObject({
        margin: z.number().gt(0).max(1e6),
        alpha: z.number().min(0.001).max(0.25).default(0.05),
        strength: z.enum(strengths).default('usual').meta({ description: 'As in gates.' }),
      })
      .optional()
      .meta({ description: 'Also tests whether the difference is smaller than a margin.' }),
    confidence: z.number().min(0.5).max(0.999).default(0.95),
    resamples: z.int().min(1000).max(100_000).default(10_000),
    permutations: z.int().min(1000).max(1_000_000).default(100_000),
    seed: z.int().min(0).max(4_294_967_295).default(1),
  })
  .superRefine((request, context) => {
    const refuse = (field: keyof typeof request, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const refuseUnlessOne = (one: keyof typeof request, many: keyof typeof request) => {
      if ((request[one] === undefined) !== (request[many] === undefined)) return;
      refuse(one, `a request has either "${one}" or "${many}"`);
    };
    refuseUnlessOne('measure', 'measures');
    if (request.pairs === undefined) {
      refuseUnlessOne('candidate', 'candidates');
      if (request.baseline === undefined) refuse('baseline', 'is needed unless "pairs" is given');
      return;
    }
    if (request.evaluation === undefined) refuse('evaluation', 'is needed for all pairs');
    for (const field of ['baseline', 'candidate', 'candidates'] as const) {
      if (request[field] !== undefined) refuse(field, 'does not go with "pairs"');
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

const P = z.number().nullable().meta({ description: 'Never 0; null if undefined.' });

const ComparisonWarning = Warning.extend({
  code: z.enum(['no-judged-document-returned', 'unsearched-questions', 'tied-scores', 'pool-bias']),
  side: z.enum(['baseline', 'candidate']),
  worst: z.number().optional(),
  best: z.number().optional(),
  scoreDrop: z.number().optional().meta({
    description:
      'How much the mean of the other side drops without the judgments that only that side contributed.',
  }),
  fall: z.number().optional().meta({ description: 'Use `scoreDrop`.', deprecated: true }),
}).meta({ id: 'ComparisonWarning' });

const ComparedSlice = z
  .object({
    questions: z.int(),
    wins: z.int(),
    losses: z.int(),
    ties: z.int(),
    means: z.object({ baseline: z.number().nullable(), candidate: z.number().nullable() }),
    meanDifference: z.number().nullable(),
    interval: MeanInterval.nullable(),
  })
  .meta({ id: 'ComparedSlice' });

const Comparison = z
  .object({
    measure: z.string(),
    baseline: z.object({ evaluation: z.string(), configuration: z.string() }),
    candidate: z.object({ evaluation: z.string(), configuration: z.string() }),
    names: z.object({ baseline: z.string(), candidate: z.string() }).optional().meta({
      description:
        'What the sentences call the two sides, if both configurations have the same name.',
    }),
    questions: z.int().meta({ description: 'Questions scored on both sides.' }),
    excluded: z.object({
      unanswerable: z.int(),
      unlabelled: z.int().meta({
        description:
          'Questions without a judgment. They are excluded even if the means of an evaluation count them as 0.',
      }),
      withoutRelevant: z.int().optional().meta({
        description:
          'Questions without a relevant document, if `"average": "answerable"` requires one.',
      }),
      failed: z.int().meta({ description: 'Questions not scored on at least one side.' }),
      onlyOneSide: z
        .int()
        .meta({ description: 'Questions contained in only one of the two evaluations.' }),
    }),
    wins: z.int(),
    losses: z.int(),
    ties: z.int(),
    means: z.object({ baseline: z.number().nullable(), candidate: z.number().nullable() }),
    meanDifference: z.number().nullable(),
    interval: MeanInterval.nullable(),
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
      guaranteed: z.object({ p: P, pAdjusted: P.optional() }).meta({
        description:
          'Valid for every distribution of the differences; null for DCG, which has no upper bound.',
      }),
    }),
    pAdjusted: P.optional().meta({
      description: 'Adjusted by Holm over all comparisons of the response.',
    }),
    effectSize: z.number().nullable().meta({ description: "Cohen's dz." }),
    effectSizeInterval: z
      .object({
        method: z.literal('noncentral-t'),
        confidence: z.number(),
        low: z.number(),
        high: z.number(),
      })
      .nullable(),
    equivalence: z
      .object({
        margin: z.number(),
        alpha: z.number(),
        p: P,
        interval: z
          .object({ confidence: z.number(), low: z.number(), high: z.number() })
          .nullable(),
        equivalent: z.boolean().meta({
          description:
            'With strength usual at least questionsNeeded, unless every ranking is identical.',
        }),
        strength: z.enum(strengths).meta({
          description: 'The method that decided: also usual for DCG, which has no bound.',
        }),
        blindTo: z.number().meta({
          description:
            'The largest share of all questions for which everything could change without showing in these questions (95 %).',
        }),
        questionsNeeded: z.int().nullable(),
        isIdentical: z
          .boolean()
          .meta({ description: 'Whether all rankings of both sides are identical.' }),
        guaranteedP: P.meta({ description: "By Gaffke's bound; null with strength usual." }),
        explanation: z.string(),
      })
      .optional()
      .meta({ description: 'If the request has "equivalence": two one-sided t-tests.' }),
    slices: z
      .record(z.string(), z.record(z.string(), ComparedSlice))
      .optional()
      .meta({ description: 'If the request has "sliceBy": by attribute, then by value.' }),
    bounds: Bounds.extend({
      decided: z.boolean().meta({
        description: 'Whether the difference has the same sign for every possible grading.',
      }),
      decision: Decision,
      highestGrade: z.int(),
      explanation: z.string(),
    })
      .nullable()
      .optional()
      .meta({
        description: 'If the request has "bounds"; null for a measure without exact bounds.',
      }),
    blindTo: z.number().meta({
      description:
        'The largest share of questions for which everything could be lost, or gained, without showing in these questions.',
    }),
    warnings: z.array(ComparisonWarning),
    minimumDetectableDifference: z
      .number()
      .nullable()
      .meta({ description: 'At power 0.8 and the given confidence.' }),
    verdict: z.enum(['better', 'worse', 'inconclusive']).meta({
      description:
        'Conclusive if the interval excludes 0 and the p value of the randomization test, adjusted within a family, is at most 1 − confidence.',
    }),
    explanation: z.string(),
    notes: z.array(z.string()),
    perQuestion: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        kind: z.string().optional(),
        process: z.string().optional(),
        language: z.string().optional(),
        user: z.string().optional(),
        split: z.string().optional(),
        tags: z.array(z.string()).optional(),
        baseline: z.number(),
        candidate: z.number(),
        difference: z.number(),
        outcome: z.enum(['win', 'loss', 'tie']),
      }),
    ),
  })
  .meta({ id: 'Comparison' });

export const ComparisonResponse = z.union([
  Comparison,
  z.object({ comparisons: z.array(Comparison) }).meta({ id: 'ComparisonFamily' }),
]);

/** The baseline with each candidate. One that is named twice counts once: it would be two tests of the same. */
export function toPairs({
  evaluation,
  baseline = '',
  candidate = '',
  candidates,
}: Pick<
  ComparisonInput,
  'evaluation' | 'baseline' | 'candidate' | 'candidates'
>): readonly RunPair[] {
  const toSide = (side: z.infer<typeof Side>, pointer: string) =>
    toReference(side, evaluation, pointer);
  const first = toSide(baseline, '/body/baseline');
  const others = candidates?.map((side, index) => toSide(side, `/body/candidates/${index}`));
  const all = others ?? [toSide(candidate, '/body/candidate')];
  const once = new Map(
    all.map((each) => [JSON.stringify([each.evaluation, each.configuration]), each]),
  );
  return [...once.values()].map((other) => ({ baseline: first, candidate: other }));
}

/** Which run a side means: its own evaluation's, or that of the request. */
function toReference(
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
