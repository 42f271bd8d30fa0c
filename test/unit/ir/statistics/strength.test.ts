import { describe, expect, it } from 'vitest';

import { questionsNeeded } from '../../../../src/ir/statistics/strength.ts';

const bounds = { confidence: 0.95, isBounded: true };

describe('questionsNeeded', () => {
  // ln 0.05 / ln(1 − margin): 148.3, 58.4, 28.4, 13.4.
  it.each([
    [0.02, 50, 149],
    [0.05, 50, 59],
    [0.1, 29, 29],
    [0.2, 14, 14],
    [0, 50, null],
  ])('for a margin of %d is %d, guaranteed %s', (margin, usual, guaranteed) => {
    expect(questionsNeeded('usual', { ...bounds, margin })).toBe(usual);
    expect(questionsNeeded('guaranteed', { ...bounds, margin })).toBe(guaranteed);
  });

  it('does not fall with the margin of a measure without bounds', () => {
    expect(questionsNeeded('usual', { ...bounds, margin: 5, isBounded: false })).toBe(50);
  });
});
