import { z } from 'zod';

import type { Immutable } from './immutable.ts';

export const Split = z.enum(['tuning', 'held-out']);
export type Split = z.infer<typeof Split>;

/** One verdict on a (question, document) pair. */
const Judgment = z.object({
  documentId: z.string(),
  /** Whole number; 0 or less is judged not relevant. */
  grade: z.number(),
  /** Who judged, or imported; `null` when a file came without sign-in. */
  judge: z.string().nullable(),
  /** Whether a file brought it; absent: a judge posted it, or nothing is known but `judge`. */
  fromFile: z.boolean().optional(),
  /** RFC 3339, UTC. */
  judgedAt: z.string(),
  documentVersion: z.string().nullable(),
  note: z.string().nullable(),
});
export type Judgment = Immutable<z.infer<typeof Judgment>>;

/** Something that was said before a question. */
const ConversationTurn = z.object({ role: z.enum(['user', 'assistant']), text: z.string() });
export type ConversationTurn = Immutable<z.infer<typeof ConversationTurn>>;

/** One labelled question, as it stands in one version of a question set. */
export const Question = z.object({
  id: z.string(),
  text: z.string(),
  /** The conversation before it, oldest first; absent: there was none. */
  history: z.array(ConversationTurn).optional(),
  kind: z.string().optional(),
  process: z.string().optional(),
  language: z.string().optional(),
  /** The user who asks: an entry of a search configuration's `users`. */
  user: z.string().optional(),
  split: Split.optional(),
  tags: z.array(z.string()),
  /** `false`: no document answers it, so it is outside every mean. */
  answerable: z.boolean(),
  /** Documents that this question's user must never be shown. */
  forbidden: z.array(z.string()),
  judgments: z.array(Judgment),
});
export type Question = Immutable<z.infer<typeof Question>>;

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
 * value are `(none)`; a real value of that name gets one more pair of parentheses.
 */
export function sliceValues(
  question: Pick<Question, SliceDimension>,
  dimension: SliceDimension,
): readonly string[] {
  const values = dimension === 'tags' ? question.tags : [question[dimension] ?? []].flat();
  return values.length > 0 ? [...new Set(values)].map(toSliceName) : [noValue];
}

function toSliceName(value: string): string {
  return /^\(+none\)+$/.test(value) ? `(${value})` : value;
}
