import { describe, expect, it } from 'vitest';

import { drawBackoffMs } from '../../../../src/retrieval/resilience/backoff.ts';

describe('drawBackoffMs', () => {
  // The bound is 500 ms, doubled with each failure, at most 20 s; half of it is drawn.
  it.each([
    [1, 250],
    [2, 500],
    [3, 1000],
    [6, 8000],
    [7, 10_000],
    [60, 10_000],
  ])('draws from zero to a bound that doubles: failure %i', (failures, expected) => {
    expect(drawBackoffMs(failures, () => 0.5)).toBe(expected);
  });

  it('may draw no wait at all', () => {
    expect(drawBackoffMs(3, () => 0)).toBe(0);
  });
});
