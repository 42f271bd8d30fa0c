import type { SliceDimension } from './question.ts';
import type { Strength } from '../ir/statistics/strength.ts';
import type { GateVerdict } from '../ir/statistics/gate-verdict.ts';
import type { GaffkeBound } from '../ir/statistics/gaffke.ts';
import type { NonInferiority } from '../ir/statistics/non-inferiority.ts';

/** What a request says of its gate; exactly one of `measure` and `measures`. */
export interface GateRequest {
  readonly baseline: string;
  readonly measure?: string | undefined;
  readonly measures?: readonly string[] | undefined;
  readonly maxDrop: number;
  readonly allowedFailedShare: number;
  /** Default: 0. Schedules that are older than pipelines lack it. */
  readonly allowedFallbackShare?: number | undefined;
  readonly minJudged?: { readonly measure: string; readonly value: number } | undefined;
  readonly slices: readonly SliceDimension[];
  /** Default: `maxDrop`. */
  readonly sliceMaxDrop?: number | undefined;
  readonly minSliceQuestions: number;
  readonly confidence: number;
  /** Default: usual. Schedules that are older lack it. */
  readonly strength?: Strength | undefined;
}

/** A gate as it was fixed with its evaluation, before the first search. */
export interface GateSnapshot {
  /** The run that the name meant then. */
  readonly baseline: {
    readonly name: string;
    readonly evaluation: string;
    readonly configuration: string;
  };
  /** Canonical names. */
  readonly measures: readonly string[];
  readonly maxDrop: number;
  readonly allowedFailedShare: number;
  /** Absent in gates that are older than pipelines. */
  readonly allowedFallbackShare?: number | undefined;
  readonly minJudged: { readonly measure: string; readonly value: number } | null;
  readonly slices: readonly SliceDimension[];
  readonly sliceMaxDrop: number;
  readonly minSliceQuestions: number;
  readonly confidence: number;
  /** Absent in gates that are older than it, which are `usual`. */
  readonly strength?: Strength | undefined;
  /** Over the rules above, what they are held against, and everything that will be measured. */
  readonly hash: string;
}

/** What a gate says of its evaluation. */
export interface GateDecision {
  /** The worst of its configurations'. */
  readonly verdict: GateVerdict;
  readonly detail: string;
  readonly configurations: readonly ConfigurationDecision[];
}

export interface ConfigurationDecision {
  readonly configuration: string;
  readonly verdict: GateVerdict;
  readonly detail: string;
  /** Why it cannot pass, whatever the tests say. */
  readonly obstacles: readonly GateObstacle[];
  readonly failedShare: { readonly baseline: number; readonly candidate: number } | null;
  /** Questions of which a stage of the pipeline was left out. Absent in older decisions. */
  readonly fallbackShare?: { readonly baseline: number; readonly candidate: number } | null;
  readonly judged: {
    readonly measure: string;
    readonly baseline: number | null;
    readonly candidate: number | null;
  } | null;
  /** Empty where the two runs cannot be held against each other. */
  readonly checks: readonly GateCheck[];
}

export interface GateObstacle {
  readonly code:
    | 'baseline-gone'
    | 'question-set-changed'
    | 'input-changed'
    | 'other-questions'
    | 'failures'
    | 'baseline-failures'
    | 'fallbacks'
    | 'baseline-fallbacks'
    | 'low-judged';
  readonly verdict: Exclude<GateVerdict, 'pass'>;
  readonly detail: string;
}

/** One measure, over all questions or those of one slice. */
export interface GateCheck extends NonInferiority {
  readonly measure: string;
  readonly slice: { readonly dimension: string; readonly value: string } | null;
  readonly maxDrop: number;
  /** `pLarger` after Holm over the counted checks of the configuration. */
  readonly pAdjusted: number | null;
  /** False: a slice with fewer questions than the gate asks for. It is shown and decides nothing. */
  readonly isCounted: boolean;
  readonly verdict: GateVerdict;
  /** By which strength `pass` was decided: `usual` also for DCG in a guaranteed gate. Absent in older decisions. */
  readonly strength?: Strength;
  /** The share of questions on which everything could be lost unseen, at 95 %. Absent in older decisions. */
  readonly blindTo?: number;
  /** Fewer cannot pass without a gain; `null`: no number can. Absent in older decisions. */
  readonly questionsNeeded?: number | null;
  /** Whether every ranking is the baseline's. Absent in older decisions. */
  readonly isIdentical?: boolean;
  /** Of a check that was decided by it. Absent in older decisions. */
  readonly guarantee?: GaffkeBound | null;
  /** What a reader must know beside the numbers. */
  readonly notes: readonly string[];
}
