import { toComparableId } from '../../ir/comparable-ids.ts';
import { findLabelState, type Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/evaluations.ts';
import { findOutcomes } from '../../storage/evaluations/outcomes.ts';
import {
  streamQuestions,
  type QuestionRange,
  type PositionedQuestion,
} from '../../storage/question-sets/questions.ts';
import { toOutcome, type StoredOutcome } from '../../storage/evaluations/stored-outcome.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import type { Outcome } from '../../model/outcome.ts';

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

/** The questions of an evaluation with one configuration's outcomes, in the set's order, read in batches; others get their turn in between. */
export async function* streamOutcomes(
  db: Database,
  evaluation: Selection & { readonly id: string },
  configuration: number,
  range?: QuestionRange,
): AsyncGenerator<AskedQuestion> {
  const yieldToEventLoop = createYieldToEventLoop();
  for await (const { asked, outcome } of streamStored(db, evaluation, configuration, range)) {
    await yieldToEventLoop();
    yield { ...asked, outcome: outcome && toOutcome(outcome) };
  }
}

interface StoredAnswer {
  readonly asked: PositionedQuestion;
  readonly outcome: StoredOutcome | undefined;
}

async function* streamStored(
  db: Database,
  evaluation: Selection & { readonly id: string },
  configuration: number,
  range: QuestionRange = {},
): AsyncGenerator<StoredAnswer> {
  let size = Math.min(range.likely ?? batchSize, batchSize);
  let batch: PositionedQuestion[] = [];
  for await (const selected of streamSelected(db, evaluation, range)) {
    batch.push(selected);
    if (batch.length < size) continue;
    yield* await withOutcomes(db, evaluation.id, configuration, batch);
    batch = [];
    size = batchSize;
  }
  yield* await withOutcomes(db, evaluation.id, configuration, batch);
}

/** A failed search is `failed` whatever the question: nobody knows what it would have shown. */
export function toStatus(question: Question, outcome: Outcome): QuestionStatus {
  if (outcome.hits === null) return 'failed';
  const state = findLabelState(question);
  if (state === 'unanswerable' || state === 'unlabelled') return state;
  return outcome.hits.length === 0 ? 'empty' : 'scored';
}

/** The forbidden documents that came back. */
export function findLeaks(question: Question, outcome: Outcome): readonly string[] {
  if (question.forbidden.length === 0) return [];
  const shown = new Set(
    outcome.hits?.map(({ documentId }) => documentId && toComparableId(documentId)),
  );
  return question.forbidden.filter((documentId) => shown.has(toComparableId(documentId)));
}

async function withOutcomes(
  db: Database,
  evaluationId: string,
  configuration: number,
  batch: readonly PositionedQuestion[],
): Promise<readonly StoredAnswer[]> {
  const from = batch.at(0)?.position;
  const to = batch.at(-1)?.position;
  if (from === undefined || to === undefined) return [];
  const outcomes = await findOutcomes(db, evaluationId, configuration, { from, to });
  return batch.map((asked) => ({ asked, outcome: outcomes.get(asked.position) }));
}
