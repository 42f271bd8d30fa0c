import { z } from 'zod';

import { lossCauses } from '../ir/funnel/lost-documents.ts';
import type { Immutable } from './immutable.ts';

export interface DiagnosisRequest {
  readonly configuration: string;
  readonly k?: number | undefined;
  readonly relevantFrom?: number | undefined;
}

const DiagnosisOptions = z.object({
  /** How many documents a reader sees. */
  k: z.number(),
  /** The lowest grade that is relevant. */
  relevantFrom: z.number(),
});
export type DiagnosisOptions = Immutable<z.infer<typeof DiagnosisOptions>>;

const CauseCounts = z.object({
  documents: z.number(),
  /** Of the lost; null: none is lost. */
  share: z.number().nullable(),
  questions: z.number(),
});
export type CauseCounts = Immutable<z.infer<typeof CauseCounts>>;

const LossCounts = z.object({
  questions: z.number(),
  /** Relevant documents of these questions. */
  relevant: z.number(),
  /** Those of them that are not in the top k. */
  lost: z.number(),
  causes: z.record(z.enum(lossCauses), CauseCounts),
});
export type LossCounts = Immutable<z.infer<typeof LossCounts>>;

/** Where one configuration loses relevant documents. */
export const Diagnosis = z.object({
  ...DiagnosisOptions.shape,
  ...LossCounts.shape,
  /** By dimension, then by value. */
  slices: z.record(z.string(), z.record(z.string(), LossCounts)),
  /** Of the questions with a user that lack documents: whether it is known what their conditions hide. */
  unfiltered: z.object({ searched: z.number(), failed: z.number(), notAsked: z.number() }),
  /** What follows, in sentences, the cause of most losses first. */
  advice: z.array(z.string()),
});
export type Diagnosis = Immutable<z.infer<typeof Diagnosis>>;
