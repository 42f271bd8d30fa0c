import { describe, expect, it } from 'vitest';

import { summarizeLatencies } from '../../../../src/evaluation/scoring/latency.ts';

describe('summarizeLatencies', () => {
  // Nearest rank (Hyndman and Fan, definition 1): of 20 values the 10th and the 19th.
  it('gives percentiles that were measured', () => {
    const latencies = Array.from({ length: 20 }, (_, index) => 20 - index);

    expect(summarizeLatencies(latencies)).toEqual({ mean: 10.5, p50: 10, p95: 19, max: 20 });
  });

  it('is one value for one search and nothing for none', () => {
    expect(summarizeLatencies([7])).toEqual({ mean: 7, p50: 7, p95: 7, max: 7 });
    expect(summarizeLatencies([])).toBeNull();
  });
});
