import type { SliceDimension } from './question.ts';
import type { Strength } from '../ir/statistics/strength.ts';
import type { GateVerdict } from '../ir/statistics/gate-verdict.ts';
import type { GaffkeBound } from '../ir/statistics/gaffke.ts';
import type { NonInferiority } from '../ir/statistics/non-inferiority.ts';

/** What a request says of its gate: `checks`, or one rule for exactly one of `measure` and `measures`. */
export interface GateRequest {
  /** The name of a baseline, or another configuration of the evaluation; absent: there is no `maxDrop`. */
  readonly baseline?: string | { readonly configuration: string } | undefined;
  readonly measure?: string | undefined;
  readonly measures?: readonly string[] | undefined;
  /** Exactly one of `maxDrop` and `minimum`. */
  readonly maxDrop?: number | undefined;
  readonly minimum?: number | undefined;
  readonly on?: FloorSide | undefined;
  readonly checks?: readonly CheckRequest[] | undefined;
  /** Default: report. */
  readonly onInconclusive?: OnInconclusive | undefined;
  /** What to do where the baseline does not exist. Default: the evaluation is refused. */
  readonly missingBaseline?: 'fail' | 'pass' | undefined;
  /** Whether the corpus may be another than the baseline's. */
  readonly acceptInputChange?: boolean | undefined;
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

/** One rule of a gate: a drop from the baseline, or a floor. */
export type CheckRequest =
  | { readonly measure: string; readonly maxDrop: number }
  | { readonly measure: string; readonly minimum: number; readonly on: FloorSide };

/** What must reach a minimum: the lower end of the mean's interval, or the mean. */
export const floorSides = ['interval', 'mean'] as const;
export type FloorSide = (typeof floorSides)[number];

/** What becomes of a verdict that is inconclusive. */
export const inconclusiveRules = ['report', 'fail', 'pass'] as const;
export type OnInconclusive = (typeof inconclusiveRules)[number];

/** A mean that must be reached, whatever the baseline. */
export interface Floor {
  readonly measure: string;
  readonly minimum: number;
  readonly on: FloorSide;
}

/** A gate as it was fixed with its evaluation, before the first search. */
export interface GateSnapshot {
  /** The run that the name meant then; null where no check needs one, or it did not exist and that is accepted. */
  readonly baseline: {
    readonly name: string;
    /** null: the gated evaluation itself. */
    readonly evaluation: string | null;
    readonly configuration: string;
  } | null;
  /** The baseline that did not exist when the gate was made, which is accepted. */
  readonly missingBaseline?: string | undefined;
  /** Those held against the baseline, by canonical names. */
  readonly measures: readonly string[];
  /** The largest of the checks'. */
  readonly maxDrop: number;
  /** Of measures with one of their own. */
  readonly maxDrops?: Readonly<Record<string, number>> | undefined;
  readonly floors?: readonly Floor[] | undefined;
  readonly onInconclusive?: OnInconclusive | undefined;
  readonly acceptInputChange?: boolean | undefined;
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
  readonly failedShare: Shares | null;
  /** Questions of which a stage of the pipeline was left out. Absent in older decisions. */
  readonly fallbackShare?: Shares | null;
  readonly judged: {
    readonly measure: string;
    readonly baseline: number | null;
    readonly candidate: number | null;
  } | null;
  /** Empty where the two runs cannot be held against each other, or one of them has no judged document. */
  readonly checks: readonly GateCheck[];
  /** Absent in older decisions. */
  readonly floors?: readonly FloorCheck[];
  /** The version whose judgments the baseline was scored with again, because only those had changed. */
  readonly rescoredBaseline?: number;
  /** The questions that fell most in the first measure, the worst first. Absent in older decisions. */
  readonly fellMost?: readonly FallenQuestion[];
}

/** Of the questions; the baseline's is null without one. */
export interface Shares {
  readonly baseline: number | null;
  readonly candidate: number;
}

/** A mean beside the minimum that it must reach. */
export interface FloorCheck extends Floor {
  readonly questions: number;
  readonly mean: number | null;
  /** At the gate's confidence, from both sides. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly verdict: GateVerdict;
}

export interface FallenQuestion {
  readonly id: string;
  readonly measure: string;
  readonly baseline: number;
  readonly candidate: number;
  /** Rank of the first relevant document; null: none was found. */
  readonly firstRelevantRank: {
    readonly baseline: number | null;
    readonly candidate: number | null;
  };
}

export interface GateObstacle {
  readonly code:
    | 'baseline-gone'
    | 'question-set-changed'
    | 'input-changed'
    | 'other-questions'
    | 'no-judged-document-returned'
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
