import { describe, expect, it } from 'vitest';

import { blindTo } from '../../../../src/ir/statistics/blind-to.ts';

describe('blindTo', () => {
  // 1 - 0.05^(1/n), worked with 40 digits; n = 20 is the 14 % that the documentation names.
  it.each([
    [1, 0.95],
    [2, 0.7763932022500211],
    [5, 0.4507197283469411],
    [20, 0.1391083406682652],
    [149, 0.01990481622068509],
  ])('is, for %i questions, %d at 95 %%', (questions, share) => {
    expect(blindTo(questions, 0.95)).toBeCloseTo(share, 9);
  });

  it('is everything where nothing was asked', () => {
    expect(blindTo(0, 0.95)).toBe(1);
  });

  it.each([
    [-1, 0.95],
    [1.5, 0.95],
    [3, 0],
    [3, 1],
  ])('refuses %d questions at %d', (questions, confidence) => {
    expect(() => blindTo(questions, confidence)).toThrow(RangeError);
  });
});
