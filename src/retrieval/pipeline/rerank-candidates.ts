import { completeOrder } from '../../ir/reranking/permutation.ts';
import type { RetrievedHit } from '../retriever.ts';
import type { Rerank } from './pipeline-configuration.ts';
import type { Reranker } from './reranker.ts';
import { StageFailure, type StageJournal } from './stage-run.ts';

export interface RerankStage {
  readonly type: Rerank['type'];
  readonly reranker: Reranker;
  /** How many of the ranking's first it is given. */
  readonly candidates: number;
  readonly promptHash?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** How many candidates re-ranking is given unless the configuration says otherwise. */
export const usualCandidates = 20;

export interface RerankedHits {
  readonly candidates: number;
  /** Undefined: the stage failed or was late. */
  readonly hits: readonly RetrievedHit[] | undefined;
}

/**
 * Puts the first of a ranking in the re-ranker's order. The same hits come back: whatever a re-ranker answers,
 * it only reorders. Those it was not given follow as they were, without a score, since theirs is of another kind.
 */
export async function rerankCandidates(
  question: string,
  hits: readonly RetrievedHit[],
  stage: RerankStage,
  { journal, signal }: { readonly journal: StageJournal; readonly signal: AbortSignal },
): Promise<RerankedHits> {
  const { type, reranker, promptHash, timeoutMs } = stage;
  const head = hits.slice(0, stage.candidates);
  // A single candidate has its place.
  if (head.length < 2) return { candidates: head.length, hits };
  const part = { stage: 'rerank', type, promptHash, timeoutMs } as const;
  const reranking = await journal.run(part, signal, async (run) => {
    const passages = head.flatMap(({ passage }) => passage ?? []);
    if (passages.length < head.length) {
      throw new StageFailure('no-texts', 'The search brought hits without a text to read');
    }
    run.meter.add({ pairsReranked: head.length });
    return reranker.rerank(question, passages, run);
  });
  if (!reranking) return { candidates: head.length, hits: undefined };
  const { order, scores } = reranking;
  const reordered = completeOrder(order, head.length).flatMap((place) => {
    const hit = head[place];
    return hit ? [{ ...hit, score: scores?.[place] ?? null }] : [];
  });
  const others = hits.slice(head.length).map((hit) => ({ ...hit, score: null }));
  return { candidates: head.length, hits: [...reordered, ...others] };
}
