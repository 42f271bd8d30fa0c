import { setImmediate } from 'node:timers/promises';

import pMap, { pMapSkip } from 'p-map';

import { AppError, RetrieverError } from '../errors.ts';
import type { RetrieverRegistry } from '../retrieval/registry.ts';
import type { Retriever } from '../retrieval/retriever.ts';
import type { SearchConfiguration } from '../retrieval/search-configuration.ts';
import type { Database } from '../storage/database.ts';
import {
  findEvaluation,
  finishEvaluation,
  listConfigurations,
  startEvaluation,
  type EvaluationConfiguration,
  type EvaluationFailure,
  type StoredEvaluation,
} from '../storage/evaluations.ts';
import { listOutcomePositions } from '../storage/outcomes.ts';
import type { PositionedQuestion } from '../storage/question-sets.ts';
import { streamSelected } from './asked-questions.ts';
import { decideGate } from './decide-gate.ts';
import { isInputUnchanged } from './input-hash.ts';
import { createOutcomeWriter } from './outcome-writer.ts';
import type { ScorecardRow } from './scorecard.ts';
import { scoreEvaluation } from './score-evaluation.ts';
import { searchQuestion } from './search-question.ts';

export interface EvaluationContext {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
  /** RFC 3339, UTC. */
  readonly now: () => string;
  /** How many searches of one configuration are under way at once. */
  readonly searchConcurrency: number;
  /** Whether the chunks behind a ranking are stored with their texts; they are unless this is false. */
  readonly storeSnippets?: boolean | undefined;
}

/**
 * Searches every question that has no outcome yet, stores each outcome as it arrives, and scores them
 * all. Taken up again after a crash it goes on with what is missing. Rejects when `signal` aborts, with
 * everything that arrived stored.
 */
export async function runEvaluation(
  context: EvaluationContext,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, now } = context;
  if (!(await startEvaluation(db, id, now()))) return;
  const evaluation = await findEvaluation(db, id);
  if (!evaluation) return;
  const configurations = await listConfigurations(db, id);
  for (const configuration of configurations) {
    await searchMissing(context, evaluation, { configuration, signal });
  }
  const scorecard = await scoreEvaluation(context, evaluation, configurations);
  signal.throwIfAborted();
  await decideGate(db, evaluation, configurations);
  const error = findTotalFailure(scorecard);
  const status = error ? 'failed' : 'succeeded';
  await finishEvaluation(db, id, { status, scorecard, error, at: now() });
}

async function searchMissing(
  context: EvaluationContext,
  evaluation: StoredEvaluation,
  { configuration, signal }: { configuration: EvaluationConfiguration; signal: AbortSignal },
): Promise<void> {
  const { db, searchConcurrency, storeSnippets = true } = context;
  const done = await listOutcomePositions(db, evaluation.id, configuration.position);
  const questions = streamMissing(context, evaluation, done);
  const first = await questions.next();
  if (first.done) return;

  const retriever = await createRetriever(context, evaluation, configuration);
  const { depth } = JSON.parse(configuration.body) as SearchConfiguration;
  const writer = createOutcomeWriter(db, evaluation.id);
  const rest = prepend(first.value, questions);
  const breathe = createBreather();
  try {
    const search = async (asked: PositionedQuestion) => {
      const options = { depth, signal, storeSnippets };
      const outcome = await searchQuestion(retriever, asked, options);
      await writer.add({ ...outcome, configuration: configuration.position });
      await breathe();
      return pMapSkip;
    };
    const concurrency = searchConcurrency + (retriever.spareCallers ?? 0);
    await pMap(rest, search, { concurrency, signal });
  } finally {
    await writer.flush();
  }
}

async function* streamMissing(
  { db }: EvaluationContext,
  evaluation: StoredEvaluation,
  done: ReadonlySet<number>,
): AsyncGenerator<PositionedQuestion> {
  for await (const asked of streamSelected(db, evaluation)) {
    if (!done.has(asked.position)) yield asked;
  }
}

async function* prepend<Item>(first: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield first;
  yield* rest;
}

/** A rescored evaluation never searches: what its rankings lack, it lacks. */
async function createRetriever(
  { db, retrievers }: EvaluationContext,
  evaluation: StoredEvaluation,
  { input, body }: EvaluationConfiguration,
): Promise<Retriever> {
  if (evaluation.rescoreOf !== null) return rankingsOnly;
  const isUnchanged = await isInputUnchanged(db, input);
  const retriever = await retrievers.createRetriever(JSON.parse(body) as SearchConfiguration);
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

/** Every search of a configuration failed: there is nothing to trust in such an evaluation. */
function findTotalFailure(scorecard: readonly ScorecardRow[]): EvaluationFailure | null {
  const dead = scorecard.filter(
    ({ questions: { scored, failed, unanswerable } }) => scored + unanswerable === 0 && failed > 0,
  );
  if (dead.length === 0) return null;
  const names = dead.map(({ configuration }) => `'${configuration}'`).join(', ');
  const cause = dead[0]?.failures[0]?.detail ?? 'no cause was recorded';
  return { code: 'every-search-failed', detail: `Every search of ${names} failed: ${cause}` };
}

/** Lets the rest of the process run every few milliseconds, since a local search never waits for anything. */
function createBreather(): () => Promise<void> {
  const longestMs = 5;
  let last = performance.now();
  return async () => {
    if (performance.now() - last < longestMs) return;
    await setImmediate();
    last = performance.now();
  };
}
