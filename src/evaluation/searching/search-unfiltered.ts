import { RetrieverError } from '../../errors.ts';
import { underClaim } from '../../retrieval/claim.ts';
import { traitsOf } from '../../retrieval/registry.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  insertDiagnosisSearches,
  readDiagnosisSearches,
  type DiagnosisSearch,
} from '../../storage/evaluations/diagnosis-searches.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import type { PositionedQuestion } from '../../storage/question-sets/questions.ts';
import { retryTransientErrors } from '../../storage/database/transient-errors.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import { streamOutcomes } from '../outcomes/stream-outcomes.ts';
import { diagnoseQuestion } from '../diagnosis/diagnose-questions.ts';
import { hashSearch } from '../outcomes/search-hash.ts';
import type { SearchContext } from './search-questions.ts';
import type { WorkControl } from './work-control.ts';

/**
 * Searches again, without the conditions of its user, for each question of a user that lacks a relevant
 * document in every list. Each search is made once, whatever configurations share it, and stored as ids alone.
 * Rejects when it is stopped; what arrived is stored.
 */
export async function searchUnfiltered(
  context: SearchContext,
  evaluation: StoredEvaluation,
  {
    configuration,
    abort,
    drain,
    assertClaimHeld,
  }: WorkControl & { configuration: EvaluationConfiguration },
): Promise<void> {
  if (evaluation.rescoreOf !== null || !traitsOf(configuration.backend).isSearched) return;
  const { db, retrievers, searchConcurrency } = context;
  const search = {
    ...configuration.configuration,
    pipeline: undefined,
  };
  const hash = hashSearch(configuration);
  const needed = streamNeeded(db, evaluation, configuration);
  const first = await needed.next();
  if (first.done) return;
  const retriever = await retrievers.createRetriever(search, tenantOf(db));
  if (!retriever) return;
  const stop = new AbortController();
  const stopped = AbortSignal.any([abort, drain, stop.signal]);

  async function make(asked: PositionedQuestion): Promise<void> {
    await assertClaimHeld?.();
    if (stopped.aborted || !retriever) return;
    const options = { depth: search.depth, signal: abort };
    const found = await underClaim(assertClaimHeld, () => searchOne(retriever, asked, options));
    const searched = { ...found, search: hash };
    await retryTransientErrors(() => insertDiagnosisSearches(db, evaluation.id, [searched]));
  }
  async function takeTurns(): Promise<void> {
    try {
      for (;;) {
        const next = await needed.next();
        if (next.done || stopped.aborted) return;
        await make(next.value);
      }
    } catch (error) {
      // The others end and store the search they are at.
      stop.abort(error);
    }
  }
  const others = Array.from({ length: searchConcurrency - 1 }, takeTurns);
  await Promise.all([make(first.value).then(takeTurns, (error) => stop.abort(error)), ...others]);
  stopped.throwIfAborted();
}

/** The questions that need it and have none yet. */
async function* streamNeeded(
  db: Database,
  evaluation: StoredEvaluation,
  configuration: EvaluationConfiguration,
): AsyncGenerator<PositionedQuestion> {
  const made = await readDiagnosisSearches(db, evaluation.id, hashSearch(configuration));
  for await (const asked of streamOutcomes(db, evaluation, configuration.position)) {
    const { position, question, outcome } = asked;
    if (!outcome || made.has(position)) continue;
    // A document in no list is absent at any depth.
    const diagnosed = diagnoseQuestion(question, outcome, { k: 1, relevantFrom: 1 });
    if (diagnosed?.unfiltered === 'not-asked') yield { position, question };
  }
}

async function searchOne(
  retriever: Retriever,
  { position, question: { id: questionId, text } }: PositionedQuestion,
  { depth, signal }: { readonly depth: number; readonly signal: AbortSignal },
): Promise<Omit<DiagnosisSearch, 'search'>> {
  const about = { question: position, questionId };
  try {
    const { hits, cost } = await retriever.retrieve(text, { questionId, depth, signal });
    const documentIds = hits.flatMap(({ documentId }) => documentId ?? []);
    return { ...about, documentIds, attempts: cost.attempts };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RetrieverError)) throw error;
    return { ...about, documentIds: null, attempts: error.attempts };
  }
}
