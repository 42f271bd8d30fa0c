import type { Measure } from '../../ir/measures/measure.ts';

/** A run with its measures, each a mean over the questions of the qrels; null: there is no question. */
export interface ScoredRun {
  readonly run: string;
  readonly questions: number;
  readonly measures: Readonly<Record<string, number | null>>;
  /** Where asked for, in the order of the qrels. */
  readonly perQuestion?: readonly ScoredQuestion[];
}

export interface ScoredQuestion {
  readonly id: string;
  readonly measures: Readonly<Record<string, number>>;
}

export interface ScoreRequest {
  /** Of the runs, in their order. */
  readonly names: readonly string[];
  readonly measures: readonly Measure[];
  readonly perQuestion: boolean;
}
