import { describe, expect, it } from 'vitest';

import { numberAt } from '../../../../src/ir/statistics/number-at.ts';

describe('numberAt', () => {
  it('reads lists and typed arrays', () => {
    expect([numberAt([3, 4], 1), numberAt(Float64Array.of(0.5), 0)]).toEqual([4, 0.5]);
  });

  it.each([-1, 2, 0.5])('refuses index %d of two values', (index) => {
    expect(() => numberAt([3, 4], index)).toThrow(RangeError);
  });
});
