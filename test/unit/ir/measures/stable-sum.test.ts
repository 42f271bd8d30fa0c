import { describe, expect, it } from 'vitest';

import { createMean } from '../../../../src/ir/stable-sum.ts';

describe('createMean', () => {
  it.each([
    [[], undefined],
    [[0.25], 0.25],
    [[1, 2, 6], 3],
    // Neumaier's own example: a plain sum gives 0, Kahan's too; the sum is 2.
    [[1, 1e100, 1, -1e100], 0.5],
    [[1e100, 1, -1e100, 1], 0.5],
  ])('of %j is %s', (values, expected) => {
    const mean = createMean();
    values.forEach((value) => mean.add(value));
    expect(mean.mean).toBe(expected);
    expect(mean.count).toBe(values.length);
  });

  it('does not drift over a million values', () => {
    const mean = createMean();
    Array.from({ length: 1_000_000 }, () => 0.1).forEach((value) => mean.add(value));
    expect(mean.mean).toBe(0.1);
  });
});
