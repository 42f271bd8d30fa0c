import type { DocumentId } from './ids.ts';

/** One retrieved document with the score that ordered it. Scores mean nothing across search configurations. */
export interface Hit {
  readonly documentId: DocumentId;
  readonly score: number;
}

/**
 * One question's document ids, best first, each document once. `null` is a chunk whose document id
 * could not be read: it held a rank, so it keeps it.
 */
export type Ranking = readonly (DocumentId | null)[];
