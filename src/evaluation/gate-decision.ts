import type { GateVerdict } from '../ir/statistics/gate-verdict.ts';
import type { GaffkeBound } from '../ir/statistics/gaffke.ts';
import type { NonInferiority } from '../ir/statistics/non-inferiority.ts';
import type { Strength } from '../ir/statistics/strength.ts';
import type { Database } from '../storage/database.ts';
import type { StoredEvaluation } from '../storage/evaluations.ts';
import { findGateDecision, type FixedGate } from '../storage/gates.ts';

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

/** A gate's rules with what it says; no verdict while the evaluation goes on. */
export type DescribedGate = FixedGate & Omit<GateDecision, 'verdict'> & VerdictOrNone;

interface VerdictOrNone {
  readonly verdict: GateVerdict | null;
}

/** The gate of an evaluation; `null` without one. Only an evaluation that succeeded can have passed. */
export async function describeGate(
  db: Database,
  evaluation: StoredEvaluation,
): Promise<DescribedGate | null> {
  const { gate } = evaluation.plan;
  if (!gate) return null;
  const { id, status, error } = evaluation;
  if (evaluation.finishedAt === null) {
    const detail = 'The evaluation has not ended yet';
    return { ...gate, verdict: null, detail, configurations: [] };
  }
  const decision = await findGateDecision<GateDecision>(db, id);
  if (status === 'succeeded' && decision) return { ...gate, ...decision };
  const verdict = error?.code === 'every-search-failed' ? 'fail' : 'inconclusive';
  const detail = error?.detail ?? `The evaluation is ${status} and was not held against its gate`;
  return { ...gate, verdict, detail, configurations: [] };
}
