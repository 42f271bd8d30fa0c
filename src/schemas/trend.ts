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
        "May be repeated. Default: the measures of the baseline's evaluation but judged@k.",
    }),
  label: text(256).optional().meta({ description: 'Only evaluations with this label.' }),
  maxDrop: queryNumberOr(0.02, { least: 0, most: 1 }).meta({
    description: 'How far the mean may lie below the baseline without an alarm.',
  }),
  confidence: queryNumberOr(0.95, { least: 0.6, most: 0.999 }).meta({
    description: 'One minus it bounds the chance that a series ever gives a false alarm.',
  }),
  allowedFailedShare: queryNumberOr(0, { least: 0, most: 1 }).meta({
    description: 'Of the searches of a night; beyond it the night is invalid.',
  }),
  limit: queryIntOr(100, { least: 1, most: 1000 }).meta({
    description: 'How many nights are listed, the latest ones; the verdict is over all.',
  }),
});

const Drift = z
  .object({
    verdict: z.enum(['worse', 'inconclusive']).meta({
      description:
        '`worse` from the first alarm on, until the baseline is another; `inconclusive` does not mean equal.',
    }),
    evidence: z
      .number()
      .meta({ description: 'After the latest night; it may be read every night.' }),
    threshold: z.number().meta({ description: 'The evidence that makes an alarm.' }),
    validNights: z.int(),
    invalidNights: z.int(),
    alarm: z
      .object({ evaluation: z.string(), finishedAt: Timestamp })
      .nullable()
      .meta({ description: 'The night whose evidence first reached the threshold.' }),
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
          ]),
          detail: z.string(),
        }),
      )
      .meta({ description: 'Why it is invalid, and no part of the evidence.' }),
    questions: z.int().meta({ description: 'Questions scored in the night and the baseline.' }),
    means: z
      .object({ baseline: z.number().nullable(), night: z.number().nullable() })
      .meta({ description: 'Over those questions; of an invalid night over all it scored.' }),
    meanDifference: z.number().nullable().meta({ description: 'Night minus baseline.' }),
    interval: z
      .object({ confidence: z.number(), low: z.number(), high: z.number() })
      .nullable()
      .meta({ description: 'Of this night alone, for one reading.' }),
    evidence: z.number(),
    margin: z.number().nullable().meta({
      description: "maxDrop and what the luck of the baseline's night may be; null: invalid.",
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
