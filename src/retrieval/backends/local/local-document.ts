import type { Metadata } from '../../match-filter.ts';

/** A document of a corpus that this service searches by itself. */
export interface LocalDocument {
  readonly id: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly metadata?: Metadata | undefined;
  /** One entry a paragraph; a paragraph without entry has no metadata. */
  readonly chunkMetadata?: readonly Metadata[] | undefined;
}
