import { describe, expect, it } from 'vitest';

import { levelOf, withoutNoise } from '../../../../src/ir/statistics/level.ts';

describe('levelOf', () => {
  it.each([
    [0.95, 0.05],
    [0.9, 0.1],
    [0.99, 0.01],
    [0.999, 0.001],
    [0.6, 0.4],
  ])('of %d is %d', (confidence, level) => {
    expect(levelOf(confidence)).toBe(level);
  });
});

describe('withoutNoise', () => {
  it.each([
    [24.999_999_999_999_98, 25],
    [1 / 3, 0.333_333_333_333],
    [0, 0],
  ])('makes %d %d', (value, expected) => {
    expect(withoutNoise(value)).toBe(expected);
  });
});
