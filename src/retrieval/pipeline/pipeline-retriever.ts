import { RetrieverError } from '../../errors.ts';
import { addUpStages, type PipelineTrace } from '../../model/pipeline-trace.ts';
import { findDroppedCodes } from '../../ir/rewriting/dropped-codes.ts';
import type { Ranking } from '../../ir/run.ts';
import { truncateHits } from '../truncate-hits.ts';
import type { Retrieval, RetrievedHit, RetrieveOptions, Retriever } from '../retriever.ts';
import { fuseVersions } from './fuse-versions.ts';
import type { Fusion } from '../../model/pipeline-configuration.ts';
import { rerankCandidates, type RerankedHits, type RerankStage } from './rerank-candidates.ts';
import type { Rewriter } from './rewrite-question.ts';
import { searchVersions, type VersionResult } from './search-versions.ts';
import { rewriteOnce, shareSearches } from './shared-work.ts';
import { createStageJournal, type StageJournal } from './stage-run.ts';

/** The stages around a backend's search, ready to run. */
export interface PipelineStages {
  /** The name of the backend, for the costs of its searches. */
  readonly backend: string;
  readonly rewriters: readonly Rewriter[];
  readonly fusion: Fusion;
  readonly rerank?: RerankStage | undefined;
  readonly versionTimeoutMs?: number | undefined;
  /** Throws `unknown-user`, so that nothing is paid for a question that will not be searched. */
  readonly checkUser: (user: string | undefined) => void;
}

/**
 * Searches the question and its rewritten versions with the same options, fuses their rankings and re-ranks
 * the first of them. A stage that fails or is late is left out, and the trace says so; only when the search of
 * the question itself fails does the retrieval fail.
 */
export function createPipelineRetriever(retriever: Retriever, stages: PipelineStages): Retriever {
  return {
    ...retriever,
    async retrieve(question, options) {
      options.signal.throwIfAborted();
      stages.checkUser(options.user);
      const run = { journal: createStageJournal(), signal: options.signal };
      const asked = { question, history: options.history ?? [] };
      const { shared } = options;
      const rewritten = await rewriteOnce(asked, stages.rewriters, run, shared);
      const { versions, complete } = rewritten;
      const results = await searchVersions(shareSearches(retriever, shared), versions, {
        journal: run.journal,
        backend: stages.backend,
        options: toSearchOptions(options, stages.rerank),
        timeoutMs: stages.versionTimeoutMs,
      });
      const original = getOriginal(results, run.journal, complete);
      const rankings = results.flatMap(({ retrieval }) => (retrieval ? [retrieval.hits] : []));
      const fused =
        rankings.length > 1 ? await fuseVersions(rankings, stages.fusion, run) : undefined;
      const ranked = fused ?? original.hits;
      const reranked =
        stages.rerank && (await rerankCandidates(complete, ranked, stages.rerank, run));
      const trace = traceRun(results, run.journal, { complete, fused, reranked });
      return {
        hits: truncateHits(reranked?.hits ?? ranked, options),
        notes: original.notes,
        cost: { ...addUpStages(trace.stages), attempts: addUpAttempts(results) },
        trace,
      };
    },
  };
}

/** A stage behind the search may read deeper than the ranking is kept, and reads texts. */
function toSearchOptions(
  options: RetrieveOptions,
  rerank: RerankStage | undefined,
): RetrieveOptions {
  if (!rerank) return options;
  return { ...options, depth: Math.max(options.depth, rerank.candidates), withTexts: true };
}

/** Without the search of the original question, a result cannot be trusted. */
function getOriginal(
  results: readonly VersionResult[],
  journal: StageJournal,
  complete: string,
): Retrieval {
  const [original] = results;
  if (original?.retrieval) return original.retrieval;
  const failure = original?.failure;
  if (!(failure instanceof RetrieverError)) throw failure ?? new TypeError('Nothing was searched');
  const trace = traceRun(results, journal, { complete });
  throw failure.withTrace(trace, addUpAttempts(results));
}

function traceRun(
  results: readonly VersionResult[],
  { stages, fallbacks }: StageJournal,
  {
    complete,
    fused,
    reranked,
  }: {
    readonly complete: string;
    readonly fused?: readonly RetrievedHit[] | undefined;
    readonly reranked?: RerankedHits | undefined;
  },
): PipelineTrace {
  const question = results[0]?.version.text ?? '';
  const versions = results.map(({ version: { kind, text }, retrieval }) => {
    const dropped = findDroppedCodes(`${question} ${complete}`, text);
    const isShown = kind !== 'original' && kind !== 'hyde';
    return {
      kind,
      ...(isShown && { text }),
      ...(kind !== 'original' && dropped.length > 0 && { droppedCodes: dropped }),
      ranking: retrieval ? toRanking(retrieval.hits) : null,
    };
  });
  return {
    versions,
    ...(fused && { fused: toRanking(fused) }),
    ...(reranked && { candidates: reranked.candidates }),
    ...(reranked?.order && { reranked: toRanking(reranked.order) }),
    ...(reranked?.scores && { scores: reranked.scores }),
    ...(reranked?.cut && { cut: reranked.cut }),
    stages,
    fallbacks,
  };
}

function toRanking(hits: readonly RetrievedHit[]): Ranking {
  return hits.map(({ documentId }) => documentId);
}

function addUpAttempts(results: readonly VersionResult[]): number {
  return results.reduce((sum, { attempts }) => sum + attempts, 0);
}
