import type { Passage, WholeText } from '../retriever.ts';
import type { StageRun } from './stage-run.ts';

/** Puts candidates in another order. It never adds or loses one: what it does not name follows as it was. */
export interface Reranker {
  /** Throws RetrieverError when it fails or is late; the ranking then stays as it was. */
  readonly rerank: (
    question: string,
    candidates: readonly Candidate[],
    run: StageRun,
  ) => Promise<Reranking>;
}

/** What a re-ranker reads of a hit. */
export interface Candidate extends Passage {
  /** Where the whole document is read and the backend can score it. */
  readonly scoreFor?: WholeText['scoreFor'] | undefined;
}

export interface Reranking {
  /** Places in the list of candidates, from 0, best first. */
  readonly order: readonly number[];
  /** By place in the list of candidates. Absent: the order is all there is. */
  readonly scores?: readonly number[] | undefined;
}
