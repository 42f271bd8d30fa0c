import type { PausableWork } from './pausable-work.ts';

/** Sorts as `toSorted` does, stably: sorted runs are merged pair by pair until one is left. */
export function* mergeSort<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): PausableWork<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

const runLength = 512;

function* merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
): PausableWork<readonly Item[]> {
  const merged: Item[] = [];
  let nextRight = 0;
  for (const [index, item] of left.entries()) {
    while (nextRight < right.length && compare(right[nextRight] as Item, item) < 0) {
      merged.push(right[nextRight] as Item);
      nextRight += 1;
    }
    merged.push(item);
    if (index % runLength === 0) yield;
  }
  // One by one, since spreading an array of any length into a call overflows the stack.
  for (; nextRight < right.length; nextRight += 1) merged.push(right[nextRight] as Item);
  return merged;
}
