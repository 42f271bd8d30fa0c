import { sliceValues, type Question, type SliceDimension } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import type { QuestionHead } from '../../storage/question-sets/question-heads.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { streamSelectedHeads } from '../outcomes/stream-outcomes.ts';

/** What a question brings to each of its runs. */
export interface AskedHead {
  readonly id: string;
  readonly text: string;
  /** The dimensions that the question has. */
  readonly attributes: QuestionAttributes;
  /** By the order of the dimensions asked for. */
  readonly slices: readonly (readonly string[])[];
}

/** The attributes of a question, for the row of a comparison. */
export type QuestionAttributes = Partial<Pick<Question, SliceDimension>>;

export interface PositionedAsked {
  readonly position: number;
  readonly head: AskedHead;
}

/** The questions that an evaluation asks, in the set's order. */
export async function listHeads(
  db: Database,
  evaluation: StoredEvaluation,
  sliceBy: readonly SliceDimension[],
): Promise<readonly PositionedAsked[]> {
  const asked: PositionedAsked[] = [];
  const yieldToEventLoop = createYieldToEventLoop();
  for await (const { position, head } of streamSelectedHeads(db, evaluation)) {
    asked.push({ position, head: toHead(head, sliceBy) });
    await yieldToEventLoop();
  }
  return asked;
}

export function toHead(question: QuestionHead, sliceBy: readonly SliceDimension[]): AskedHead {
  return {
    id: question.id,
    text: question.text,
    attributes: toAttributes(question),
    slices: sliceBy.map((dimension) => sliceValues(question, dimension)),
  };
}

function toAttributes({
  kind,
  process,
  language,
  user,
  split,
  tags,
}: QuestionHead): QuestionAttributes {
  return {
    ...(kind !== undefined && { kind }),
    ...(process !== undefined && { process }),
    ...(language !== undefined && { language }),
    ...(user !== undefined && { user }),
    ...(split !== undefined && { split }),
    ...(tags.length > 0 && { tags }),
  };
}
