import { z } from 'zod';

import { GateSnapshot } from './gate.ts';
import type { Immutable } from './immutable.ts';
import { averageRules, sliceDimensions, Split } from './question.ts';

export const ablationVariants = ['plain', '+rewrite', '+rerank', '+both'] as const;
export type AblationVariant = (typeof ablationVariants)[number];

/** One configuration with each of its stages on and off. */
const PlannedAblation = z.object({
  /** The one that was asked for, with all its stages. */
  configuration: z.string(),
  /** It included; the one without stages first. */
  variants: z.array(
    z.object({
      variant: z.enum(ablationVariants),
      /** The name of a configuration of the evaluation. */
      configuration: z.string(),
    }),
  ),
});
export type PlannedAblation = Immutable<z.infer<typeof PlannedAblation>>;

export const IntervalOptions = z.object({
  confidence: z.number(),
  resamples: z.number(),
  seed: z.number(),
});
export type IntervalOptions = Immutable<z.infer<typeof IntervalOptions>>;

/** Fewer resamples than a comparison's, as there is an interval for each measure and slice. */
export const defaultIntervals: IntervalOptions = { confidence: 0.95, resamples: 2000, seed: 1 };

/** What is measured over which questions: fixed when the evaluation is made. */
export const EvaluationPlan = z.object({
  /** Canonical measure names. */
  measures: z.array(z.string()),
  /** Over which questions the means go; absent in evaluations that are older than the choice. */
  average: z.enum(averageRules).optional(),
  sliceBy: z.array(z.enum(sliceDimensions)),
  split: Split.optional(),
  sample: z.object({ size: z.number(), seed: z.number() }).optional(),
  /** The sampled questions' positions in the version, rising; absent: every question of the split. */
  positions: z.array(z.number()).optional(),
  /** How the interval of each mean is made; absent: without intervals. */
  intervals: IntervalOptions.optional(),
  /** Whether the scorecard says what the unjudged documents could change. */
  bounds: z.boolean().optional(),
  /** Whether the scorecard says where relevant documents are lost; `deep`: with searches of its own. */
  diagnose: z.union([z.boolean(), z.literal('deep')]).optional(),
  /** The configurations that are one another's with and without stages. */
  ablations: z.array(PlannedAblation).optional(),
  gate: GateSnapshot.optional(),
  /** Of the service that made the evaluation; absent in evaluations older than this field. */
  serviceVersion: z.string().optional(),
});
export type EvaluationPlan = Immutable<z.infer<typeof EvaluationPlan>>;
