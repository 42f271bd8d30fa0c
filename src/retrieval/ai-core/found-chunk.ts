import type { ScoreSource } from '../retriever.ts';

/** A chunk of an answer, without the groups around it. */
export interface FoundChunk {
  readonly documentId: string | null;
  readonly hasOtherIds: boolean;
  /** SAP's own name of the document: its id within its repository. `null`: the answer does not say it. */
  readonly source: string | null;
  readonly chunkId: string | null;
  readonly score: number | undefined;
  readonly scoreSource: ScoreSource;
  readonly repository: string | null;
  readonly text: string;
  /** Metadata keys of the chunk and its document, as `chunkMetadata.docId`. */
  readonly keys: readonly string[];
}

/** Sorts better scores first and chunks without a score last; 0 for equal scores, and for none. */
export function compareScores(a: Pick<FoundChunk, 'score'>, b: Pick<FoundChunk, 'score'>): number {
  if (a.score === b.score) return 0;
  if (a.score === undefined) return 1;
  return b.score === undefined ? -1 : b.score - a.score;
}
