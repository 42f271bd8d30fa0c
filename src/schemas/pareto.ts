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
    .meta({ description: 'May be repeated. The measures of quality.' }),
  prices: queryInt({ least: 1, most: 2_000_000_000 }).optional().meta({
    description: 'A version of the price table. Default: the latest, if one exists.',
  }),
});

const names = z.array(z.string());

/** What a configuration took, for one question. */
export const RowCosts = z.object({
  latencyP95Ms: z.number().nullable().meta({
    description: 'null: unknown, as for imported runs and rescored evaluations.',
  }),
  callsPerQuestion: z.number().nullable().meta({
    description: 'Searches and model calls, without retries; null: unknown.',
  }),
  costPerQuestion: z.number().nullable().meta({
    description: 'In the currency of the price table; null: unknown.',
  }),
  missingPrices: names.meta({ description: 'Used items without a price.' }),
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
        'Questions in the means of every configuration. Quality, latency, calls and cost are computed over these only.',
    }),
    leftOut: z
      .int()
      .meta({ description: 'Questions scored in some configurations but not in all.' }),
    prices: PriceReference.nullable().meta({
      description: 'The price table behind the costs; null: there is none.',
    }),
    configurations: z.array(
      z
        .object({
          configuration: z.string(),
          quality: z.number().nullable(),
          interval: MeanInterval.nullable(),
          ...RowCosts.shape,
          failed: z.int().meta({
            description: 'Failed searches, over all questions of the configuration.',
          }),
          isOnFront: z.boolean().nullable().meta({
            description:
              'Whether no configuration dominates this one; null: depends on an unknown axis.',
          }),
          dominatedBy: names.meta({
            description:
              'Configurations that are at least as good on every axis and better on at least one. Costs within 5 % and latencies within 1 ms are equal; among equals, the configuration with fewer failures dominates.',
          }),
          possiblyDominatedBy: names.meta({
            description:
              'Configurations that are at least as good on every axis known of both, while another axis is unknown.',
          }),
          perhapsDominatedBy: names.meta({
            description: 'Use `possiblyDominatedBy`.',
            deprecated: true,
          }),
        })
        .meta({ id: 'ParetoConfiguration' }),
    ),
  })
  .meta({ id: 'Pareto' });
export type Pareto = z.infer<typeof Pareto>;
