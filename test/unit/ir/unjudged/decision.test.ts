import { describe, expect, it } from 'vitest';

import { decide, meanBounds } from '../../../../src/ir/unjudged/decision.ts';

describe('meanBounds', () => {
  it('averages each end', () => {
    const bounds = [
      { low: -1, high: 0 },
      { low: 0.5, high: 1 },
    ];
    expect(meanBounds(bounds)).toEqual({ low: -0.25, high: 0.5 });
  });

  it('is missing without questions', () => {
    expect(meanBounds([])).toBeNull();
  });
});

describe('decide', () => {
  it.each([
    [0.1, 0.2, 'higher'],
    [-0.2, -0.1, 'lower'],
    [0, 0, 'equal'],
    [-1e-16, 1e-16, 'equal'],
    [0, 0.2, 'undecided'],
    [1e-16, 0.2, 'undecided'],
    [-0.2, 0, 'undecided'],
    [-0.1, 0.1, 'undecided'],
  ])('reads %d to %d as %s', (low, high, expected) => {
    expect(decide({ low, high })).toBe(expected);
  });
});
