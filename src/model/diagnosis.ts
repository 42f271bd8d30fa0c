import type { LossCause } from '../ir/funnel/lost-documents.ts';

export interface DiagnosisRequest {
  readonly configuration: string;
  readonly k?: number | undefined;
  readonly relevantFrom?: number | undefined;
}

export interface DiagnosisOptions {
  /** How many documents a reader sees. */
  readonly k: number;
  /** The lowest grade that is relevant. */
  readonly relevantFrom: number;
}

export interface LossCounts {
  readonly questions: number;
  /** Relevant documents of these questions. */
  readonly relevant: number;
  /** Those of them that are not in the top k. */
  readonly lost: number;
  readonly causes: Readonly<Record<LossCause, CauseCounts>>;
}

export interface CauseCounts {
  readonly documents: number;
  /** Of the lost; null: none is lost. */
  readonly share: number | null;
  readonly questions: number;
}

/** Where one configuration loses relevant documents. */
export interface Diagnosis extends DiagnosisOptions, LossCounts {
  /** By dimension, then by value. */
  readonly slices: Readonly<Record<string, Readonly<Record<string, LossCounts>>>>;
  /** Of the questions with a user that lack documents: whether it is known what their conditions hide. */
  readonly unfiltered: {
    readonly searched: number;
    readonly failed: number;
    readonly notAsked: number;
  };
  /** What follows, in sentences, the cause of most losses first. */
  readonly advice: readonly string[];
}
