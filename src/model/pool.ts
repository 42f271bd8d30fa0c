import type { PoolBias } from '../ir/pool-bias.ts';
import type { Bounds } from '../ir/unjudged/bounds.ts';
import type { Decision } from '../ir/unjudged/decision.ts';
import type { LabelsLeft } from '../ir/unjudged/labels-left.ts';

/** The retrieved documents without a judgment. */
export interface Pool {
  readonly depth: number;
  readonly questionSet: JudgedSet;
  /** In the order of impact only. */
  readonly impact?: PairImpact;
  /** Where it was asked for. */
  readonly bias?: readonly RunBias[];
  /** To be read once, since a large pool is larger than the memory. */
  readonly questions: AsyncIterable<PooledQuestion>;
  /** What the questions add up to, once all are read. */
  readonly sumUp: () => PoolSums;
}

/** The version of a question set whose judgments are looked at. */
export interface JudgedSet {
  readonly name: string;
  readonly version: number;
}

interface PoolSums {
  readonly unjudged: number;
  /** Questions that a run answered and that have no judgment, outside the coverage; absent: none. */
  readonly unlabelled?: number;
  /** Mean judged@depth by configuration. */
  readonly coverage: Readonly<Record<string, number | null>>;
}

export interface PooledQuestion {
  readonly id: string;
  readonly text: string;
  readonly documents: readonly PooledDocument[];
}

export interface PooledDocument {
  readonly documentId: string;
  readonly title: string | null;
  readonly snippet: string | null;
  readonly retrievedBy: readonly {
    readonly evaluation?: string;
    readonly configuration: string;
    readonly rank: number;
  }[];
  /** How far apart the mean differences lie that this label alone can bring about. */
  readonly impact?: number;
  /** Its place among all missing labels of the pair, those below the depth of the pool too; 1: judge first. */
  readonly order?: number;
}

/** What the missing labels of two configurations can do to their difference. */
export interface PairImpact {
  readonly measure: string;
  readonly baseline: string;
  readonly candidate: string;
  /** Missing labels, those below the depth of the pool too. */
  readonly labels: number;
  readonly labelsLeft: LabelsLeft;
  readonly bounds: Bounds;
  readonly decision: Decision;
  readonly highestGrade: number;
}

/** `evaluation` where the pool is of several. */
export interface RunBias extends PoolBias {
  readonly evaluation?: string;
  /** Of the configuration, with the label or time of its evaluation where several evaluations have one of that name. */
  readonly name: string;
  /** The former name of `scoreDrop`, returned for one more release. */
  readonly fall: number;
}
