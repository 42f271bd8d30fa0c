import type { CollectionEntry } from '../../src/interchange/collections/collection-entry.ts';

/** A test collection as its files were read. */
export interface Collection {
  readonly name: string;
  readonly documents: readonly CollectionEntry[];
  readonly topics: readonly CollectionEntry[];
  readonly qrels: readonly QrelsRow[];
  /** How the published codes became grades. */
  readonly grades: string;
  readonly published: Published | undefined;
}

export interface QrelsRow {
  readonly topic: string;
  readonly document: string;
  readonly grade: number;
}

/** Figures that others measured on the same files, and where they stand. */
export interface Published {
  readonly measures: Readonly<Record<string, number>>;
  readonly source: string;
}
