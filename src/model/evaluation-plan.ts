import type { AverageRule, SliceDimension, Split } from './question.ts';
import type { GateSnapshot } from './gate.ts';

/** What is measured over which questions: fixed when the evaluation is made. */
export interface EvaluationPlan {
  /** Canonical measure names. */
  readonly measures: readonly string[];
  /** Over which questions the means go; absent in evaluations that are older than the choice. */
  readonly average?: AverageRule | undefined;
  readonly sliceBy: readonly SliceDimension[];
  readonly split?: Split | undefined;
  readonly sample?: { readonly size: number; readonly seed: number } | undefined;
  /** The sampled questions' positions in the version, rising; absent: every question of the split. */
  readonly positions?: readonly number[] | undefined;
  /** How the interval of each mean is made; absent: without intervals. */
  readonly intervals?: IntervalOptions | undefined;
  /** Whether the scorecard says what the unjudged documents could change. */
  readonly bounds?: boolean | undefined;
  /** Whether the scorecard says where relevant documents are lost; `deep`: with searches of its own. */
  readonly diagnose?: boolean | 'deep' | undefined;
  /** The configurations that are one another's with and without stages. */
  readonly ablations?: readonly PlannedAblation[] | undefined;
  readonly gate?: GateSnapshot | undefined;
  /** Of the service that made the evaluation; absent in evaluations older than this field. */
  readonly serviceVersion?: string | undefined;
}

export const ablationVariants = ['plain', '+rewrite', '+rerank', '+both'] as const;
export type AblationVariant = (typeof ablationVariants)[number];

/** One configuration with each of its stages on and off. */
export interface PlannedAblation {
  /** The one that was asked for, with all its stages. */
  readonly configuration: string;
  /** It included; the one without stages first. */
  readonly variants: readonly {
    readonly variant: AblationVariant;
    /** The name of a configuration of the evaluation. */
    readonly configuration: string;
  }[];
}

export interface IntervalOptions {
  readonly confidence: number;
  readonly resamples: number;
  readonly seed: number;
}

/** Fewer resamples than a comparison's, as there is an interval for each measure and slice. */
export const defaultIntervals: IntervalOptions = { confidence: 0.95, resamples: 2000, seed: 1 };
