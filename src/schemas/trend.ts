import { z } from 'zod';

import { BaselineDetail } from './baseline.ts';
import { Name, text, Timestamp } from './vocabulary.ts';
import { queryIntOr, queryNumberOr } from './query-numbers.ts';

const MeasureName = z.string().max(64);

export const TrendQuery = z.strictObject({
  baseline: Name,
  measure: z
    .union([MeasureName, z.array(MeasureName).min(1).max(20)])
    .optional()
    .meta({
      description:
        'May be repeated. Default: the measures of the evaluation of the baseline, except judged@k.',
    }),
  label: text(256).optional().meta({ description: 'Only evaluations with this label.' }),
  maxDrop: queryNumberOr(0.02, { least: 0, most: 1 }).meta({
    description: 'How far the mean may lie below the baseline without an alarm.',
  }),
  confidence: queryNumberOr(0.95, { least: 0.6, most: 0.999 }).meta({
    description:
      'One minus this value bounds the probability that a series ever raises a false alarm.',
  }),
  allowedFailedShare: queryNumberOr(0, { least: 0, most: 1 }).meta({
    description: 'The accepted share of failed searches of a run; a run with more is invalid.',
  }),
  limit: queryIntOr(100, { least: 1, most: 1000 }).meta({
    description: 'How many runs to list, counted from the latest; the verdict covers all runs.',
  }),
});

const Drift = z
  .object({
    verdict: z.enum(['worse', 'inconclusive']).meta({
      description:
        '`worse` from the first alarm until the baseline changes; `inconclusive` does not mean equal.',
    }),
    evidence: z
      .number()
      .meta({ description: 'After the latest run; may be read after every run.' }),
    threshold: z.number().meta({ description: 'The evidence required for an alarm.' }),
    validNights: z.int(),
    invalidNights: z.int(),
    alarm: z
      .object({ evaluation: z.string(), finishedAt: Timestamp })
      .nullable()
      .meta({ description: 'The first run whose evidence reached the threshold.' }),
  })
  .meta({ id: 'Drift' });

const TrendPoint = z
  .object({
    evaluation: z.string(),
    label: z.string().nullable(),
    finishedAt: Timestamp,
    serviceVersion: z.string().nullable(),
    status: z.enum(['valid', 'invalid']),
    faults: z
      .array(
        z.object({
          code: z.enum([
            'evaluation-failed',
            'failures',
            'question-set-changed',
            'other-questions',
            'configuration-changed',
            'input-changed',
            'no-judged-document-returned',
          ]),
          detail: z.string(),
        }),
      )
      .meta({ description: 'Why the run is invalid and does not count as evidence.' }),
    questions: z.int().meta({ description: 'Questions scored in both the run and the baseline.' }),
    means: z.object({ baseline: z.number().nullable(), night: z.number().nullable() }).meta({
      description: 'Over those questions; for an invalid run, over all questions it scored.',
    }),
    meanDifference: z.number().nullable().meta({ description: 'Run minus baseline.' }),
    interval: z
      .object({ confidence: z.number(), low: z.number(), high: z.number() })
      .nullable()
      .meta({ description: 'For this run alone, valid for a single reading.' }),
    evidence: z.number(),
    margin: z.number().nullable().meta({
      description:
        'maxDrop plus the possible random deviation of the run of the baseline; null: invalid.',
    }),
  })
  .meta({ id: 'TrendPoint' });

export const Trends = z
  .object({
    baseline: BaselineDetail,
    series: z.array(
      z.object({
        configuration: z.string(),
        measure: z.string(),
        drift: Drift,
        nights: z.array(TrendPoint),
      }),
    ),
  })
  .meta({ id: 'Trends' });
export type Trends = z.infer<typeof Trends>;
