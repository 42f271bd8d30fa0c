import { z } from 'zod';

import { ablationVariants } from '../model/evaluation-plan.ts';
import { MeanInterval } from './mean-interval.ts';
import { RowCosts, PriceReference } from './pareto.ts';
import { Name } from './vocabulary.ts';
import { queryIntOr } from './query-numbers.ts';

const Variant = z.enum(ablationVariants);

export const AblationQuery = z.strictObject({
  configuration: Name.meta({
    description: 'The configuration of the request, with all its stages.',
  }),
  measure: z.string().max(64).meta({ example: 'nDCG@10' }),
  limit: queryIntOr(20, { least: 0, most: 1000 }).meta({
    description: 'How many gained and how many lost questions to list for each stage.',
  }),
});

const ChangedQuestions = z
  .object({
    count: z.int(),
    questions: z
      .array(
        z.object({
          id: z.string(),
          text: z.string(),
          from: z.number(),
          to: z.number(),
          difference: z.number(),
        }),
      )
      .meta({ description: 'The questions with the largest changes, largest first.' }),
  })
  .meta({ id: 'ChangedQuestions' });

export const Ablation = z
  .object({
    configuration: z.string(),
    measure: z.string(),
    questions: z
      .int()
      .meta({ description: 'Questions scored in every variant; means are over these.' }),
    leftOut: z.int().meta({ description: 'Questions scored in some variants but not in all.' }),
    prices: PriceReference.nullable(),
    variants: z.array(
      z.object({
        variant: Variant,
        configuration: z.string(),
        mean: z.number().nullable(),
        funnel: z
          .object({
            k: z.int(),
            relevant: z.int(),
            found: z
              .int()
              .meta({ description: 'In the results of at least one version of the question.' }),
            inTopK: z.int(),
          })
          .meta({ description: 'How many relevant documents reach each step.' }),
        ...RowCosts.shape,
      }),
    ),
    steps: z
      .array(
        z.object({
          stage: z.enum(['rewrite', 'rerank']),
          from: Variant,
          to: Variant,
          meanDifference: z.number().nullable(),
          interval: MeanInterval.nullable(),
          gained: ChangedQuestions,
          lost: ChangedQuestions,
        }),
      )
      .meta({ description: 'The effect of each stage, without and with the other.' }),
  })
  .meta({ id: 'Ablation' });
export type Ablation = z.infer<typeof Ablation>;
