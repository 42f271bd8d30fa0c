import type { QuestionId, DocumentId } from '../ir/ids.ts';

export type Split = 'tuning' | 'held-out';

/** One verdict on a (question, document) pair. */
export interface Judgment {
  readonly documentId: DocumentId;
  /** Whole number; 0 or less is judged not relevant. */
  readonly grade: number;
  /** Who judged, or imported; `null` when a file came without sign-in. */
  readonly judge: string | null;
  /** Whether a file brought it; absent: a judge posted it, or nothing is known but `judge`. */
  readonly fromFile?: boolean | undefined;
  /** RFC 3339, UTC. */
  readonly judgedAt: string;
  readonly documentVersion: string | null;
  readonly note: string | null;
}

/** Something that was said before a question. */
export interface ConversationTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** One labelled question, as it stands in one version of a question set. */
export interface Question {
  readonly id: QuestionId;
  readonly text: string;
  /** The conversation before it, oldest first; absent: there was none. */
  readonly history?: readonly ConversationTurn[] | undefined;
  readonly kind?: string | undefined;
  readonly process?: string | undefined;
  readonly language?: string | undefined;
  /** The user who asks: an entry of a search configuration's `users`. */
  readonly user?: string | undefined;
  readonly split?: Split | undefined;
  readonly tags: readonly string[];
  /** `false`: no document answers it, so it is outside every mean. */
  readonly answerable: boolean;
  /** Documents that this question's user must never be shown. */
  readonly forbidden: readonly DocumentId[];
  readonly judgments: readonly Judgment[];
}

/**
 * How far the judgments of a question go: `relevant`, at least one document is relevant; `judged`, all of its
 * judgments are 0 or less; `unlabelled`, it has no judgment yet; `unanswerable`, no document answers it.
 */
export type LabelState = 'relevant' | 'judged' | 'unlabelled' | 'unanswerable';

export function findLabelState({
  answerable,
  judgments,
}: Pick<Question, 'answerable' | 'judgments'>): LabelState {
  if (!answerable) return 'unanswerable';
  if (judgments.length === 0) return 'unlabelled';
  return judgments.some(({ grade }) => grade > 0) ? 'relevant' : 'judged';
}

/** Over which questions a mean goes; the default first. No mean has unanswerable questions. */
export const averageRules = ['labelled', 'answerable', 'set'] as const;
/**
 * `labelled`: questions with a judgment; `answerable`: with a relevant document; `set`: all, where an
 * unlabelled question counts as 0.
 */
export type AverageRule = (typeof averageRules)[number];

export function isInMean(
  question: Pick<Question, 'answerable' | 'judgments'>,
  rule: AverageRule,
): boolean {
  const state = findLabelState(question);
  if (rule === 'labelled') return state === 'relevant' || state === 'judged';
  return state === 'relevant' || (rule === 'set' && state !== 'unanswerable');
}

/** What a scorecard can be sliced by. */
export const sliceDimensions = ['kind', 'process', 'language', 'user', 'split', 'tags'] as const;
export type SliceDimension = (typeof sliceDimensions)[number];

/** The value under which questions without one are sliced. */
const noValue = '(none)';

/**
 * The slices of a dimension that a question belongs to: one, or as many as it has tags. Those without a
 * value are `(none)`; a real value of that name is told apart by one more pair of parentheses.
 */
export function sliceValues(question: Question, dimension: SliceDimension): readonly string[] {
  const values = dimension === 'tags' ? question.tags : [question[dimension] ?? []].flat();
  return values.length > 0 ? [...new Set(values)].map(toSliceName) : [noValue];
}

function toSliceName(value: string): string {
  return /^\(+none\)+$/.test(value) ? `(${value})` : value;
}
