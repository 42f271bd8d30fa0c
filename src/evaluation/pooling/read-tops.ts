import { findLabelState, type LabelState, type Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  findStoredQuestions,
  streamQuestions,
  type PositionedQuestion,
} from '../../storage/question-sets/questions.ts';
import { joinOutcomes, toBatches } from '../outcomes/join-outcomes.ts';
import type { JudgedSet } from '../../model/pool.ts';
import type { PooledRun } from './pool-runs.ts';
import type { OutcomeHit } from '../../model/outcome.ts';

/** A question with what each run that answered it has in its top, best first. */
export interface QuestionTops {
  readonly question: Question;
  readonly tops: ReadonlyMap<PooledRun, readonly OutcomeHit[]>;
}

export interface TopsRequest {
  readonly set: JudgedSet;
  readonly runs: readonly PooledRun[];
  readonly depth: number;
  /** Questions by id, in the order in which they are wanted. Default: unlabelled ones, then the others. */
  readonly order?: readonly string[] | undefined;
}

/** Few enough that a batch of deep rankings stays small in memory. */
const batchSize = 50;

/**
 * The questions with answer, those without a judgment first, a batch of them in memory at a time. Those of an evaluation stand at other
 * places in another version of the set, so they are looked up by id.
 */
export async function* readTops(db: Database, request: TopsRequest): AsyncGenerator<QuestionTops> {
  const { set, runs, depth } = request;
  const places = await findPlaces(db, request);
  const sources = runs.map(({ evaluation, configuration }) => ({
    evaluationId: evaluation.id,
    configuration: configuration.position,
    positionOf: ({ id }: Question) => places.get(evaluation.version)?.get(id),
  }));
  const batches = streamBatches(db, set, request.order);
  for await (const { asked, outcomes } of joinOutcomes(db, batches, sources)) {
    const found = runs.flatMap((run, index) => {
      const hits = outcomes[index]?.hits;
      return hits ? [[run, hits.slice(0, depth)] as const] : [];
    });
    yield { question: asked, tops: new Map(found) };
  }
}

type Places = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** By version of the set, then by question id: the question's position. */
async function findPlaces(db: Database, { set, runs }: TopsRequest): Promise<Places> {
  const places = new Map<number, ReadonlyMap<string, number>>();
  for (const version of new Set(runs.map(({ evaluation }) => evaluation.version))) {
    const positions = new Map<string, number>();
    for await (const asked of streamQuestions(db, { questionSet: set.name, version })) {
      positions.set(asked.question.id, asked.position);
    }
    places.set(version, positions);
  }
  return places;
}

async function* streamBatches(
  db: Database,
  { name: questionSet, version }: JudgedSet,
  order: readonly string[] | undefined,
): AsyncGenerator<readonly Question[]> {
  if (order) {
    for (let start = 0; start < order.length; start += batchSize) {
      const ids = order.slice(start, start + batchSize);
      const found = await findStoredQuestions(db, { questionSet, version }, ids);
      yield ids.flatMap((id) => found.get(id)?.question ?? []);
    }
    return;
  }
  // Read twice, since the set may be larger than the memory.
  const inTurn: readonly LabelState[][] = [['unlabelled'], ['relevant', 'judged']];
  for (const states of inTurn) {
    yield* toBatches(keepStates(streamQuestions(db, { questionSet, version }), states), batchSize);
  }
}

async function* keepStates(
  questions: AsyncIterable<PositionedQuestion>,
  states: readonly LabelState[],
): AsyncGenerator<Question> {
  for await (const { question } of questions) {
    if (states.includes(findLabelState(question))) yield question;
  }
}
