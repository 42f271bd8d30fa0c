import type { DocumentId, QuestionId } from '../ir/qrels.ts';

/** A way to search, under evaluation. One implementation for each backend. */
export interface Retriever {
  /**
   * Searches one question. Throws RetrieverError when the search failed: an empty result is no failure.
   * Filters, those of the user included, apply before the search: what they exclude is never looked at.
   */
  retrieve(question: string, options: RetrieveOptions): Promise<Retrieval>;

  /** Whether the searched collection holds a document. Absent where the backend cannot tell. */
  readonly hasDocument?: ((documentId: DocumentId) => boolean) | undefined;

  /** What a judge reads of a chunk. Absent where the backend keeps no texts. */
  readonly findPassage?: ((chunkId: string) => Passage | undefined) | undefined;
}

export interface Passage {
  readonly title: string;
  readonly text: string;
}

export interface RetrieveOptions {
  /** For backends that look rankings up instead of searching. */
  readonly questionId?: QuestionId | undefined;
  /** How many documents the ranking keeps at most. */
  readonly depth: number;
  /** The name of the asking user, whose conditions are added to every filter. Unknown names fail the search. */
  readonly user?: string | undefined;
  readonly signal: AbortSignal;
}

/** What one search brought back and what it cost. */
export interface Retrieval {
  /** In rank order: best first, each document once, unmapped chunks at the rank they held. */
  readonly hits: readonly RetrievedHit[];
  readonly cost: RetrievalCost;
}

export interface RetrievedHit {
  /** `null`: the chunk's document id could not be read. */
  readonly documentId: DocumentId | null;
  /** The document's best chunk; `null` where a backend knows no chunks. */
  readonly chunkId: string | null;
  /** `null`: the backend gave no score. */
  readonly score: number | null;
}

export interface RetrievalCost {
  /** Calls made to answer this one question, retries included. */
  readonly attempts: number;
  readonly latencyMs: number;
  readonly pairsReranked: number;
  readonly modelCalls: number;
}
