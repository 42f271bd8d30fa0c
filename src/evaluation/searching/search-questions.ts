import { RetrieverError } from '../../errors.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import { underClaim } from '../../retrieval/claim.ts';
import { createSharedWork } from '../../retrieval/pipeline/shared-work.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  type EvaluationConfiguration,
  listConfigurations,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { listOutcomePositions, wholeSet } from '../../storage/evaluations/outcomes.ts';
import type { PositionedQuestion } from '../../storage/question-sets/questions.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import { listSelected, streamSelected } from '../outcomes/stream-outcomes.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { refuseDisallowedNow } from '../catalog/check-allowances.ts';
import { isInputUnchanged, toChangedInput } from '../outcomes/input-hash.ts';
import type { WorkControl } from './work-control.ts';
import { copyRun, isCopied } from './copy-run.ts';
import { createOutcomeWriter, type OutcomeWriter } from './outcome-writer.ts';
import { stopRefusedSearches } from './stop-refused-searches.ts';
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

export interface SearchScope extends WorkControl {
  /** More than one: they search alike, and a question is searched for all of them at once. */
  readonly configurations: readonly EvaluationConfiguration[];
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
  const { range = wholeSet, abort, drain, assertClaimHeld } = scope;
  const done = await listDone(db, evaluation, scope);
  if (scope.configurations.every((configuration) => isCopied(evaluation, configuration))) {
    return copyMissing(context, evaluation, { ...scope, range, done });
  }
  const questions = streamMissing(db, evaluation, { range, done });
  const first = await questions.next();
  if (first.done) return;

  await refuseNarrowed(db, evaluation, scope);
  const searchers = await createSearchers(context, evaluation, { ...scope, done });
  const writer = createOutcomeWriter(db, evaluation.id, { now, maxHeld });
  const search = createSearch({ context, abort, searchers, writer });
  const stop = new AbortController();
  const stopped = AbortSignal.any([abort, drain, stop.signal]);
  async function takeTurns(waiting: AsyncIterable<PositionedQuestion>): Promise<void> {
    try {
      for await (const asked of waiting) {
        await assertClaimHeld?.();
        if (stopped.aborted) return;
        await underClaim(assertClaimHeld, () => search(asked));
      }
    } catch (error) {
      // The others end the search they are at, so that it is stored and never made twice.
      stop.abort(error);
    }
  }
  const rest = share(prepend(first.value, questions));
  const callers = searchConcurrency + (searchers[0]?.retriever.spareCallers ?? 0);
  await Promise.all(Array.from({ length: callers }, () => takeTurns(rest)));
  await writer.flush();
  stopped.throwIfAborted();
}

/**
 * The list of what the tenant may use may have become shorter since the evaluation was made. Configurations that
 * come later are looked at too, so that nothing is paid for an evaluation that cannot end well.
 */
async function refuseNarrowed(
  db: Database,
  { id, rescoreOf }: StoredEvaluation,
  { configurations: [first] }: SearchScope,
): Promise<void> {
  if (rescoreOf !== null) return;
  const all = await listConfigurations(db, id);
  const from = first?.position ?? 0;
  await refuseDisallowedNow(
    db,
    all.filter(({ position }) => position >= from),
  );
}

async function copyMissing(
  context: SearchContext,
  evaluation: StoredEvaluation,
  {
    configurations,
    range: { from, to },
    done,
    ...control
  }: Required<Pick<SearchScope, 'range'>> &
    SearchScope & { readonly done: readonly ReadonlySet<number>[] },
): Promise<void> {
  const asked = await listSelected(context.db, evaluation, { after: from - 1, to });
  for (const [index, configuration] of configurations.entries()) {
    const positions = asked.filter((position) => done[index]?.has(position) !== true);
    if (positions.length > 0) {
      await copyRun(context, evaluation, { ...control, configuration, positions });
    }
  }
}

/** By configuration: the questions that have an outcome. */
async function listDone(
  db: Database,
  { id }: StoredEvaluation,
  { configurations, range = wholeSet }: SearchScope,
): Promise<readonly ReadonlySet<number>[]> {
  const done: ReadonlySet<number>[] = [];
  for (const { position } of configurations) {
    done.push(await listOutcomePositions(db, id, position, range));
  }
  return done;
}

async function* streamMissing(
  db: Database,
  evaluation: StoredEvaluation,
  {
    range,
    done,
  }: {
    readonly range: { readonly from: number; readonly to: number };
    readonly done: readonly ReadonlySet<number>[];
  },
): AsyncGenerator<PositionedQuestion> {
  for await (const asked of streamSelected(db, evaluation, {
    after: range.from - 1,
    to: range.to,
  })) {
    if (done.some((positions) => !positions.has(asked.position))) yield asked;
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
  { input, configuration }: EvaluationConfiguration,
): Promise<Retriever> {
  if (evaluation.rescoreOf !== null) return rankingsOnly;
  const isUnchanged = await isInputUnchanged(db, input);
  const retriever = await retrievers.createRetriever(configuration, tenantOf(db));
  if (isUnchanged && retriever) return retriever;
  throw toChangedInput(input);
}

const rankingsOnly: Retriever = {
  retrieve() {
    const message = 'The stored rankings lack this question, and a rescore does not search';
    return Promise.reject(new RetrieverError('not-in-rankings', message));
  },
};

/** One configuration, ready to search. */
interface Searcher {
  readonly position: number;
  readonly configuration: SearchConfiguration;
  readonly retriever: Retriever;
  readonly done: ReadonlySet<number>;
}

async function createSearchers(
  context: SearchContext,
  evaluation: StoredEvaluation,
  { configurations, done }: SearchScope & { readonly done: readonly ReadonlySet<number>[] },
): Promise<readonly Searcher[]> {
  const searchers: Searcher[] = [];
  for (const [index, stored] of configurations.entries()) {
    const retriever = await createRetriever(context, evaluation, stored);
    const key = { evaluationId: evaluation.id, configuration: stored.position };
    const { db } = context;
    searchers.push({
      position: stored.position,
      configuration: stored.configuration,
      retriever: retriever.mayBeRefused ? stopRefusedSearches(retriever, db, key) : retriever,
      done: done[index] ?? new Set(),
    });
  }
  return searchers;
}

/** Makes the searches of one question, which end with their outcomes in the writer's hands. */
function createSearch({
  context: { storeSnippets = true },
  abort,
  searchers,
  writer,
}: {
  readonly context: SearchContext;
  readonly abort: AbortSignal;
  readonly searchers: readonly Searcher[];
  readonly writer: OutcomeWriter;
}): (asked: PositionedQuestion) => Promise<void> {
  const yieldToEventLoop = createYieldToEventLoop();
  const isShared = searchers.length > 1;
  const configurations = searchers.map(({ configuration }) => configuration);
  return async (asked) => {
    const shared = isShared ? createSharedWork(configurations) : undefined;
    for (const { position, configuration, retriever, done } of searchers) {
      if (done.has(asked.position)) continue;
      const options = { depth: configuration.depth, signal: abort, storeSnippets, shared };
      const outcome = await searchQuestion(retriever, asked, options);
      await writer.add({ ...outcome, configuration: position });
    }
    await yieldToEventLoop();
  };
}
