import type { Extreme } from './bounds.ts';
import type { RankedPair, UnjudgedPair } from './unjudged-pair.ts';
import type { QuestionId, DocumentId } from '../ids.ts';

/** One question that both search configurations were asked. */
export interface ComparedQuestion extends RankedPair {
  readonly questionId: QuestionId;
}

/** A (question, document) pair without a judgment. */
export interface MissingLabel {
  readonly questionId: QuestionId;
  readonly documentId: DocumentId;
  /** How far apart the mean differences lie that this label alone can bring about, the other missing ones being 0. */
  readonly impact: number;
}

/** A missing label with the index of its question and that of its document in the question's pool. */
export interface PlacedLabel extends MissingLabel {
  readonly place: number;
  readonly position: number;
}

/** A question with its pool and the labellings that make the difference least and greatest. */
export interface OpenQuestion {
  readonly question: ComparedQuestion;
  readonly pair: UnjudgedPair;
  readonly low: Extreme;
  readonly high: Extreme;
}
