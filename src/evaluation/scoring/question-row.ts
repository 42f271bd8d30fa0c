import type { Question } from '../../model/question.ts';
import type { QuestionStatus } from '../outcomes/stream-outcomes.ts';

/** A question with the result of every configuration. */
export interface QuestionRow extends Pick<
  Question,
  'id' | 'text' | 'kind' | 'process' | 'language' | 'user' | 'split' | 'tags' | 'answerable'
> {
  readonly position: number;
  /** By configuration; without those that have not searched it yet. */
  readonly configurations: Readonly<Record<string, QuestionCell>>;
}

export interface QuestionCell {
  readonly status: QuestionStatus;
  /** By name; empty when the question is outside the means. */
  readonly measures: Readonly<Record<string, number>>;
  /** From 1; null: no relevant document was found. */
  readonly firstRelevantRank: number | null;
  /** Forbidden documents that were retrieved. */
  readonly leaks: number;
  /** Documents of the top k without a judgment. */
  readonly unjudged: number;
}
