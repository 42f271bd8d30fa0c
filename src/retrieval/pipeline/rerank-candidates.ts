import { compareByCodePoint } from '../../ir/compare-ids.ts';
import type { MinScoreCut } from '../../model/pipeline-trace.ts';
import { completeOrder } from '../../ir/reranking/permutation.ts';
import type { RetrievedHit } from '../retriever.ts';
import type { Rerank, RerankText } from '../../model/pipeline-configuration.ts';
import type { Candidate, Reranker, Reranking } from './reranker.ts';
import { StageFailure, type StageJournal } from './stage-run.ts';

export interface RerankStage {
  readonly type: Rerank['type'];
  readonly reranker: Reranker;
  /** What the re-ranker reads of each candidate; the chunk unless given. */
  readonly on?: RerankText | undefined;
  /** How many of the ranking's first it is given. */
  readonly candidates: number;
  /** Leaves out hits that score less, and hits that were not re-ranked. */
  readonly minScore?: number | undefined;
  readonly promptHash?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** How many candidates re-ranking is given unless the configuration says otherwise. */
export const defaultCandidates = 20;

export interface RerankedHits {
  readonly candidates: number;
  /** Undefined: the stage failed or was late. */
  readonly hits: readonly RetrievedHit[] | undefined;
  /** The candidates in their new order, those that `minScore` leaves out included. Undefined as `hits`. */
  readonly order: readonly RetrievedHit[] | undefined;
  /** The re-ranker's scores of those; undefined where it gave none. */
  readonly scores?: readonly number[] | undefined;
  /** What `minScore` left out; undefined without one. */
  readonly cut?: MinScoreCut | undefined;
}

/**
 * Puts the first of a ranking in the re-ranker's order. Without `minScore` the same hits come back: whatever a
 * re-ranker answers, it only reorders. Hits that it was not given follow as they were, without a score, since theirs is
 * of another kind. With `minScore` only candidates that score as much come back.
 */
export async function rerankCandidates(
  question: string,
  hits: readonly RetrievedHit[],
  stage: RerankStage,
  { journal, signal }: { readonly journal: StageJournal; readonly signal: AbortSignal },
): Promise<RerankedHits> {
  const { type, reranker, on = 'chunk', promptHash, timeoutMs } = stage;
  const head = hits.slice(0, stage.candidates);
  const candidates = head.length;
  // A single candidate has its place. It needs a score all the same where re-ranking gives one.
  if (candidates < (type === 'llm' ? 2 : 1)) return truncateHits({ hits, order: head, stage });
  const part = { stage: 'rerank', type, promptHash, timeoutMs } as const;
  const reranking = await journal.run(part, signal, async (run) => {
    const read = head.flatMap((hit) => toCandidate(hit, on) ?? []);
    if (read.length < candidates) {
      throw new StageFailure('no-texts', 'The search returned hits without text');
    }
    run.meter.add({ pairsReranked: candidates });
    return reranker.rerank(question, read, run);
  });
  if (!reranking) return { candidates, hits: undefined, order: undefined };
  const order = reorder(head, reranking, on);
  const others = hits.slice(candidates).map((hit) => ({ ...hit, score: null }));
  const scores = reranking.scores && order.flatMap(({ score }) => score ?? []);
  return { ...truncateHits({ hits: [...order, ...others], order, stage }), scores };
}

function toCandidate({ passage, whole }: RetrievedHit, on: RerankText): Candidate | undefined {
  if (on === 'chunk') return passage;
  return whole && { ...whole.read(), scoreFor: whole.scoreFor };
}

/** Whole documents with equal scores go by their ids, as in the local method `rerank`. */
function reorder(
  head: readonly RetrievedHit[],
  { order, scores }: Reranking,
  on: RerankText,
): readonly RetrievedHit[] {
  const reordered = completeOrder(order, head.length).flatMap((place) => {
    const hit = head[place];
    return hit ? [{ ...hit, score: scores?.[place] ?? null }] : [];
  });
  if (on === 'chunk' || !scores) return reordered;
  return reordered.toSorted(
    (a, b) =>
      (b.score ?? 0) - (a.score ?? 0) || compareByCodePoint(a.documentId ?? '', b.documentId ?? ''),
  );
}

function truncateHits({
  hits,
  order,
  stage: { minScore },
}: {
  readonly hits: readonly RetrievedHit[];
  readonly order: readonly RetrievedHit[];
  readonly stage: RerankStage;
}): RerankedHits {
  const candidates = order.length;
  if (minScore === undefined) return { candidates, hits, order };
  const kept = order.filter(({ score }) => score !== null && score >= minScore);
  const notReranked = hits.length - candidates;
  return {
    candidates,
    hits: kept,
    order,
    cut: { minScore, below: candidates - kept.length, notReranked },
  };
}
