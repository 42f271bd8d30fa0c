import { findLabelState, type Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import { findOutcomesAt } from '../../storage/evaluations/outcomes.ts';
import { findStoredQuestions, streamQuestions } from '../../storage/question-sets/questions.ts';
import { toOutcome } from '../../storage/evaluations/stored-outcome.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
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
  const yieldToEventLoop = createYieldToEventLoop();
  for await (const batch of streamBatches(db, set, request.order)) {
    const answers = await findAnswers(db, batch, { runs, places });
    for (const question of batch) {
      await yieldToEventLoop();
      const found = answers.flatMap(({ run, outcomes }) => {
        const outcome = outcomes.get(question.id);
        const hits = outcome && toOutcome(outcome).hits;
        return hits ? [[run, hits.slice(0, depth)] as const] : [];
      });
      yield { question, tops: new Map(found) };
    }
  }
}

type Places = ReadonlyMap<number, ReadonlyMap<string, number>>;

/** By run: what it answered to some questions, as it is stored. */
async function findAnswers(
  db: Database,
  batch: readonly Question[],
  { runs, places }: { readonly runs: readonly PooledRun[]; readonly places: Places },
) {
  const answers = [];
  for (const run of runs) {
    const { evaluation, configuration } = run;
    const known = places.get(evaluation.version);
    const positions = batch.flatMap(({ id }) => known?.get(id) ?? []);
    const { position } = configuration;
    const outcomes = await findOutcomesAt(db, evaluation.id, position, positions);
    answers.push({ run, outcomes });
  }
  return answers;
}

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
  for (const states of [['unlabelled'], ['relevant', 'judged']] as const) {
    let batch: Question[] = [];
    for await (const { question } of streamQuestions(db, { questionSet, version })) {
      const state = findLabelState(question);
      if (states.some((wanted) => wanted === state)) batch.push(question);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }
}
