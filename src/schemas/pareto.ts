import { z } from 'zod';

import { paretoAxes } from '../evaluation/analysis/find-pareto.ts';
import { MeanInterval } from './mean-interval.ts';
import { queryInt } from './query-numbers.ts';

const Axis = z.enum(paretoAxes);

export const ParetoQuery = z.strictObject({
  measure: z.string().max(64).meta({ example: 'nDCG@10' }),
  against: z
    .union([Axis, z.array(Axis).min(1).max(paretoAxes.length)])
    .default(['latency', 'calls'])
    .meta({ description: 'May be repeated. What quality is held against.' }),
  prices: queryInt({ least: 1, most: 2_000_000_000 }).optional().meta({
    description: 'A version of the price table. Default: the latest, if there is any.',
  }),
});

const names = z.array(z.string());

/** What a configuration took, for one question. */
export const RowCosts = z.object({
  latencyP95Ms: z.number().nullable().meta({
    description: 'null: unknown, as with imported runs and rescored evaluations.',
  }),
  callsPerQuestion: z.number().nullable().meta({
    description: 'Searches and model calls, without retries; null: unknown.',
  }),
  costPerQuestion: z.number().nullable().meta({
    description: 'In the currency of the prices; null: unknown.',
  }),
  missingPrices: names.meta({ description: 'What was used and has no price.' }),
});

export const PriceReference = z
  .object({ version: z.int(), contentHash: z.string(), currency: z.string() })
  .meta({ id: 'PriceReference' });

export const Pareto = z
  .object({
    measure: z.string(),
    against: z.array(Axis),
    questions: z.int().meta({
      description:
        'In the means of every configuration. Quality, time, calls and cost are over these alone.',
    }),
    leftOut: z.int().meta({ description: 'Scored in some configuration, but not in all.' }),
    prices: PriceReference.nullable().meta({
      description: 'What costs are reckoned with; null: there is no price table.',
    }),
    configurations: z.array(
      z
        .object({
          configuration: z.string(),
          quality: z.number().nullable(),
          interval: MeanInterval.nullable(),
          ...RowCosts.shape,
          failed: z.int().meta({
            description: 'Of all questions that it was asked: its searches that failed.',
          }),
          isOnFront: z.boolean().nullable().meta({
            description: 'Nothing dominates it; null: an unknown axis decides.',
          }),
          dominatedBy: names.meta({
            description:
              'At least as good on every axis, and better on one. Costs within 5 % are equal, and times within 1 ms; of equals the one with fewer failures dominates.',
          }),
          perhapsDominatedBy: names.meta({
            description: 'At least as good on every axis known of both, while another is not.',
          }),
        })
        .meta({ id: 'ParetoConfiguration' }),
    ),
  })
  .meta({ id: 'Pareto' });
export type Pareto = z.infer<typeof Pareto>;
