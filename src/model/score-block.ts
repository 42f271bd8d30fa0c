import { z } from 'zod';

import type { Immutable } from './immutable.ts';

/**
 * What scoring found about some questions of one configuration, in columns: the entries at one place are of one question.
 */
const Columns = z.object({
  /** Of the questions in their set, rising. */
  positions: z.array(z.number()),
  statuses: z.array(z.enum(['scored', 'failed', 'unanswerable', 'unlabelled'])),
  isAveraged: z.array(z.boolean()),
  hasFallback: z.array(z.boolean()),
  hasJudged: z.array(z.boolean()),
  /** Rank of the first document without a judgment; null: there is none, or the question is outside the means. */
  firstUnjudged: z.array(z.number().nullable()),
  /** By measure; null outside the means. */
  values: z.record(z.string(), z.array(z.number().nullable())),
  /** By measure: place, lowest and highest value, where the order of equal scores changes the value. */
  ties: z.record(z.string(), z.array(z.tuple([z.number(), z.number(), z.number()]))),
});

export const ScoreBlock = Columns.refine(({ positions, values, ties: _ties, ...others }) =>
  [...Object.values(others), ...Object.values(values)].every(
    ({ length }) => length === positions.length,
  ),
);
export type ScoreBlock = Immutable<z.infer<typeof ScoreBlock>>;
