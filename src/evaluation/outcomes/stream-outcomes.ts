import { toComparableId } from '../../ir/comparable-ids.ts';
import { findLabelState, type Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import {
  listQuestionIds,
  streamQuestions,
  type QuestionRange,
  type PositionedQuestion,
} from '../../storage/question-sets/questions.ts';
import { streamHeads, type PositionedHead } from '../../storage/question-sets/question-heads.ts';
import type { Outcome } from '../../model/outcome.ts';
import { joinOutcomes, toBatches } from './join-outcomes.ts';

/** One question of an evaluation with what a configuration brought back; no outcome yet: it was not searched. */
export interface AskedQuestion {
  readonly position: number;
  readonly question: Question;
  readonly outcome: Outcome | undefined;
}

export type QuestionStatus = 'scored' | 'empty' | 'failed' | 'unanswerable' | 'unlabelled';

type Selection = Pick<StoredEvaluation, 'questionSet' | 'version' | 'plan'>;

/** Few enough that a batch of deep rankings stays small in memory. */
const batchSize = 100;

/** The questions that an evaluation asks, in the set's order. */
export async function* streamSelected(
  db: Database,
  { questionSet, version, plan }: Selection,
  range?: QuestionRange,
): AsyncGenerator<PositionedQuestion> {
  const sampled = plan.positions && new Set(plan.positions);
  const selection = { questionSet, version, split: plan.split };
  for await (const asked of streamQuestions(db, selection, range)) {
    if (!sampled || sampled.has(asked.position)) yield asked;
  }
}

/** The same without judgments. */
export async function* streamSelectedHeads(
  db: Database,
  { questionSet, version, plan }: Selection,
): AsyncGenerator<PositionedHead> {
  const sampled = plan.positions && new Set(plan.positions);
  for await (const asked of streamHeads(db, { questionSet, version, split: plan.split })) {
    if (!sampled || sampled.has(asked.position)) yield asked;
  }
}

/** The positions of the questions that an evaluation asks, in the set's order. */
export async function listSelected(
  db: Database,
  { questionSet, version, plan }: Selection,
  range: QuestionRange = {},
): Promise<readonly number[]> {
  const { after = -1, to = Infinity } = range;
  if (plan.positions) {
    return plan.positions.filter((position) => position > after && position <= to);
  }
  const selection = { questionSet, version, split: plan.split };
  const questions = await listQuestionIds(db, selection, range);
  return questions.map(({ position }) => position);
}

/** The questions of an evaluation with one configuration's outcomes, in the set's order. */
export async function* streamOutcomes(
  db: Database,
  evaluation: Selection & { readonly id: string },
  configuration: number,
  range: QuestionRange = {},
): AsyncGenerator<AskedQuestion> {
  const source = {
    evaluationId: evaluation.id,
    configuration,
    positionOf: ({ position }: PositionedQuestion) => position,
  };
  const firstSize = Math.min(range.likely ?? batchSize, batchSize);
  const batches = toBatches(streamSelected(db, evaluation, range), batchSize, firstSize);
  for await (const { asked, outcomes } of joinOutcomes(db, batches, [source])) {
    yield { ...asked, outcome: outcomes[0] };
  }
}

/** A failed search is `failed` regardless of the question: its result is unknown. */
export function toStatus(question: Question, outcome: Outcome): QuestionStatus {
  if (outcome.hits === null) return 'failed';
  const state = findLabelState(question);
  if (state === 'unanswerable' || state === 'unlabelled') return state;
  return outcome.hits.length === 0 ? 'empty' : 'scored';
}

/** The forbidden documents that were retrieved. */
export function findLeaks(question: Question, outcome: Outcome): readonly string[] {
  if (question.forbidden.length === 0) return [];
  const shown = new Set(
    outcome.hits?.map(({ documentId }) => documentId && toComparableId(documentId)),
  );
  return question.forbidden.filter((documentId) => shown.has(toComparableId(documentId)));
}
