import { describe, expect, it } from 'vitest';

import { findKnee, findPlateau } from '../../../../src/ir/funnel/knee.ts';

describe('findKnee', () => {
  it('finds the bend of 1 − 1/x over 1 … 9', () => {
    // With x and y scaled, 1 − 1/(1 + 8t) over t is (8t/(1 + 8t)) · 9/8; its slope 9/(1 + 8t)² is 1 at
    // t = 1/4, which is x = 3.
    const values = Array.from({ length: 9 }, (_, index) => 1 - 1 / (index + 1));
    expect(findKnee(values)).toEqual({ n: 3, value: 1 - 1 / 3 });
  });

  it('takes the corner of two straight pieces', () => {
    expect(findKnee([0, 0.3, 0.6, 0.6, 0.6])).toEqual({ n: 3, value: 0.6 });
  });

  it.each([
    ['a line that stays level', [0.4, 0.4, 0.4]],
    ['a line that falls', [0.9, 0.8, 0.1]],
    ['a straight line', [0, 0.1, 0.2, 0.30000000000000004]],
    ['a line that only rises late', [0, 0, 0, 1]],
    ['one point', [0.5]],
    ['nothing', []],
  ])('finds none in %s', (_what, values) => {
    expect(findKnee(values)).toBeUndefined();
  });
});

describe('findPlateau', () => {
  it('finds where the line comes within the tolerance to stay', () => {
    expect(findPlateau([0.5, 0.795, 0.7, 0.79, 0.8, 0.8], 0.01)).toEqual({ n: 4, value: 0.79 });
  });

  it('takes the first point of a level line', () => {
    expect(findPlateau([0.4, 0.4], 0)).toEqual({ n: 1, value: 0.4 });
  });

  it('finds none in nothing', () => {
    expect(findPlateau([], 0.01)).toBeUndefined();
  });
});
