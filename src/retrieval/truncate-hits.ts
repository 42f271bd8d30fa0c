import type { RetrievedHit, RetrieveOptions } from './retriever.ts';

/** What of a ranking is handed on: the texts only to who asks for them. */
export function truncateHits(
  hits: readonly RetrievedHit[],
  { depth, withTexts = false }: Pick<RetrieveOptions, 'depth' | 'withTexts'>,
): readonly RetrievedHit[] {
  const kept = hits.slice(0, depth);
  return withTexts ? kept : kept.map(({ passage: _passage, whole: _whole, ...hit }) => hit);
}
