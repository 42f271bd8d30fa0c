/**
 * The best of some numbered things by their scores, best first, ties by number ascending. It keeps no more
 * than `limit` of them while it looks through all, so that many weak ones cost a comparison each.
 */
export function selectTop(
  items: Uint32Array,
  scores: Float64Array,
  limit: number,
): readonly number[] {
  const kept = Array.from(items.subarray(0, limit));
  const isWorse = (a: number, b: number) => compareByScore(a, b, scores) > 0;
  if (items.length > limit && limit > 0) {
    // A heap with the worst of the kept ones at its root.
    for (let index = (limit >>> 1) - 1; index >= 0; index -= 1) sink(kept, index, isWorse);
    for (const item of items.subarray(limit)) {
      if (!isWorse(kept[0] as number, item)) continue;
      kept[0] = item;
      sink(kept, 0, isWorse);
    }
  }
  return kept.toSorted((a, b) => compareByScore(a, b, scores));
}

/** Negative when `a` ranks before `b`. */
export function compareByScore(a: number, b: number, scores: Float64Array): number {
  return (scores[b] as number) - (scores[a] as number) || a - b;
}

function sink(heap: number[], start: number, isWorse: (a: number, b: number) => boolean): void {
  const item = heap[start] as number;
  let position = start;
  for (;;) {
    let child = 2 * position + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isWorse(heap[child + 1] as number, heap[child] as number)) {
      child += 1;
    }
    if (!isWorse(heap[child] as number, item)) break;
    heap[position] = heap[child] as number;
    position = child;
  }
  heap[position] = item;
}
