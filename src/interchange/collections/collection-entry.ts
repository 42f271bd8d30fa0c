/** A document or a topic of a test collection. */
export interface CollectionEntry {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** One text on one line. */
export function joinLines(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
