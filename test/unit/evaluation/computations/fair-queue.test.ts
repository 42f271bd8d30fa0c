import { describe, expect, it } from 'vitest';

import { createFairQueue } from '../../../../src/evaluation/computations/fair-queue.ts';

function takeAll(queue: { readonly take: () => string | undefined }): readonly string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

describe('a fair queue', () => {
  it('takes the owners in turn, and the items of one in their order', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.add(item[0] ?? '', item);

    expect(queue.size()).toBe(6);
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(queue.size()).toBe(0);
  });

  it('puts an owner that had a turn behind one that comes later', () => {
    const queue = createFairQueue<string>();
    queue.add('a', 'a1');
    queue.add('a', 'a2');
    const first = queue.take();
    queue.add('b', 'b1');
    queue.add('a', 'a3');

    expect([first, ...takeAll(queue)]).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('removes one item, and says when it is not there', () => {
    const queue = createFairQueue<string>();
    queue.add('a', 'a1');
    queue.add('a', 'a2');
    queue.add('b', 'b1');

    expect(queue.remove('a', 'a1')).toBe(true);
    expect(queue.remove('a', 'a1')).toBe(false);
    expect(queue.remove('c', 'c1')).toBe(false);
    expect(queue.remove('b', 'b1')).toBe(true);
    expect(queue.size()).toBe(1);
    expect(takeAll(queue)).toEqual(['a2']);
  });
});
