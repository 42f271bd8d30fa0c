import { z } from 'zod';

import { strengths } from '../ir/statistics/strength.ts';
import { Bounds, Decision } from './bounds.ts';
import { MeanInterval } from './mean-interval.ts';
import { Warning } from './vocabulary.ts';

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
