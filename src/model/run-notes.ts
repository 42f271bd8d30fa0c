import { z } from 'zod';

/** What was noticed when a run was imported, and its rankings alone do not tell. */
export const RunNotes = z.object({
  /** Rankings with two different scores; of these, those in which no score falls along the ranking as it came. */
  scored: z.int(),
  rising: z.int(),
  /** Whether the order as it came was that of a rank column. */
  hasRanks: z.boolean(),
  /** Questions in which two documents have one rank, some of them by id. */
  repeatedRanks: z.int(),
  repeatedRankSamples: z.array(z.string()),
});
export type RunNotes = Readonly<z.infer<typeof RunNotes>>;
