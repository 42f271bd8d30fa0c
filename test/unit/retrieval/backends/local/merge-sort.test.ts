import { describe, expect, it } from 'vitest';

import { mergeSort } from '../../../../../src/retrieval/backends/local/merge-sort.ts';
import { runInSlices } from '../../../../../src/retrieval/backends/local/pausable-work.ts';

describe('mergeSort', () => {
  it.each([0, 1, 2, 511, 512, 513, 1024, 5000])('sorts %i items stably', async (length) => {
    const items = Array.from({ length }, (_, index) => ({ key: (index * 7919) % 101, index }));
    expect(await runInSlices(mergeSort(items, byKey))).toEqual(items.toSorted(byKey));
  });
});

function byKey(a: { readonly key: number }, b: { readonly key: number }): number {
  return a.key - b.key;
}
