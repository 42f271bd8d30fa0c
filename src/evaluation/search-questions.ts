import { AppError, RetrieverError } from '../errors.ts';
import type { RetrieverRegistry } from '../retrieval/registry.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import type { SearchConfiguration } from '../retrieval/search-configuration.ts';
import type { Database } from '../storage/database.ts';
import type { EvaluationConfiguration, StoredEvaluation } from '../storage/evaluations.ts';
import { listOutcomePositions, wholeSet } from '../storage/outcomes.ts';
import type { PositionedQuestion } from '../storage/question-sets.ts';
import { tenantOf } from '../storage/tenant-scope.ts';
import { streamSelected } from './asked-questions.ts';
import { createBreather } from './breather.ts';
import { isInputUnchanged } from './input-hash.ts';
import { createOutcomeWriter, type OutcomeWriter } from './outcome-writer.ts';
import { searchQuestion } from './search-question.ts';

export interface SearchContext {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
  /** RFC 3339, UTC. */
  readonly now: () => string;
  /** How many searches of one configuration are under way at once. */
  readonly searchConcurrency: number;
  /** Whether the chunks behind a ranking are stored with their texts; they are unless this is false. */
  readonly storeSnippets?: boolean | undefined;
  /** How many outcomes wait for being written together, at most: what a crash may cost. */
  readonly maxHeldOutcomes?: number | undefined;
}

/** How work on an evaluation is stopped. */
export interface WorkControl {
  /** Cuts off the searches under way. */
  readonly abort: AbortSignal;
  /** Lets the searches under way end, and starts no more. */
  readonly drain: AbortSignal;
  /** Waited for before each search. */
  readonly permit?: (() => Promise<void>) | undefined;
}

export interface SearchScope extends WorkControl {
  readonly configuration: EvaluationConfiguration;
  /** Positions of the first and the last question; absent: all. */
  readonly range?: { readonly from: number; readonly to: number };
}

/**
 * Searches the questions that have no outcome yet and stores each outcome as it arrives. Rejects when it is
 * told to stop or the store fails. Either way, no search is under way any more and what arrived is stored.
 */
export async function searchQuestions(
  context: SearchContext,
  evaluation: StoredEvaluation,
  scope: SearchScope,
): Promise<void> {
  const { db, now, searchConcurrency, maxHeldOutcomes: maxHeld = 24 } = context;
  const { configuration, range = wholeSet, abort, drain, permit } = scope;
  const done = await listOutcomePositions(db, evaluation.id, configuration.position, range);
  const questions = streamMissing(db, evaluation, { range, done });
  const first = await questions.next();
  if (first.done) return;

  const retriever = await createRetriever(context, evaluation, configuration);
  const writer = createOutcomeWriter(db, evaluation.id, { now, maxHeld });
  const search = createSearch({ context, scope, retriever, writer });
  const stop = new AbortController();
  const stopped = AbortSignal.any([abort, drain, stop.signal]);
  async function takeTurns(waiting: AsyncIterable<PositionedQuestion>): Promise<void> {
    try {
      for await (const asked of waiting) {
        await permit?.();
        if (stopped.aborted) return;
        await search(asked);
      }
    } catch (error) {
      // The others end the search they are at, so that it is stored and never made twice.
      stop.abort(error);
    }
  }
  const rest = share(prepend(first.value, questions));
  const callers = searchConcurrency + (retriever.spareCallers ?? 0);
  await Promise.all(Array.from({ length: callers }, () => takeTurns(rest)));
  await writer.flush();
  stopped.throwIfAborted();
}

async function* streamMissing(
  db: Database,
  evaluation: StoredEvaluation,
  {
    range,
    done,
  }: {
    readonly range: { readonly from: number; readonly to: number };
    readonly done: ReadonlySet<number>;
  },
): AsyncGenerator<PositionedQuestion> {
  for await (const asked of streamSelected(db, evaluation, range.from - 1, range.to)) {
    if (!done.has(asked.position)) yield asked;
  }
}

async function* prepend<Item>(first: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield first;
  yield* rest;
}

/** One stream for several readers: that one of them leaves does not end it for the others. */
function share<Item>(items: AsyncGenerator<Item>): AsyncIterable<Item> {
  return { [Symbol.asyncIterator]: () => ({ next: () => items.next() }) };
}

/** A rescored evaluation never searches: what its rankings lack, it lacks. */
async function createRetriever(
  { db, retrievers }: SearchContext,
  evaluation: StoredEvaluation,
  { input, body }: EvaluationConfiguration,
): Promise<Retriever> {
  if (evaluation.rescoreOf !== null) return rankingsOnly;
  const configuration = JSON.parse(body) as SearchConfiguration;
  const isUnchanged = await isInputUnchanged(db, input);
  const retriever = await retrievers.createRetriever(configuration, tenantOf(db));
  if (isUnchanged && retriever) return retriever;
  const what = input ? `${input.kind} '${input.name}'` : 'what is searched';
  throw new AppError('conflict', `${what} changed after the evaluation was made; make a new one`);
}

const rankingsOnly: Retriever = {
  retrieve() {
    const message = 'The stored rankings do not hold this question, and a rescore never searches';
    return Promise.reject(new RetrieverError('not-in-rankings', message));
  },
};

/** Makes the search of one question, which ends with its outcome in the writer's hands. */
function createSearch({
  context: { storeSnippets = true },
  scope: { configuration, abort },
  retriever,
  writer,
}: {
  readonly context: SearchContext;
  readonly scope: SearchScope;
  readonly retriever: Retriever;
  readonly writer: OutcomeWriter;
}): (asked: PositionedQuestion) => Promise<void> {
  const { depth } = JSON.parse(configuration.body) as SearchConfiguration;
  const options = { depth, signal: abort, storeSnippets };
  const breathe = createBreather();
  return async (asked) => {
    const outcome = await searchQuestion(retriever, asked, options);
    await writer.add({ ...outcome, configuration: configuration.position });
    await breathe();
  };
}
