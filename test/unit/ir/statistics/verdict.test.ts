import { describe, expect, it } from 'vitest';

import { verdictOf } from '../../../../src/ir/statistics/verdict.ts';

describe('verdictOf', () => {
  it.each([
    [{ low: 0.01, high: 0.2 }, 0.05, 'better'],
    [{ low: -0.2, high: -0.01 }, 0.001, 'worse'],
    [{ low: 0.01, high: 0.2 }, 0.0501, 'inconclusive'],
    [{ low: -0.2, high: -0.01 }, 0.094, 'inconclusive'],
    [{ low: -0.1, high: 0.1 }, 0.001, 'inconclusive'],
    [{ low: 0, high: 0.1 }, 0.001, 'inconclusive'],
    [{ low: -0.1, high: 0 }, 0.001, 'inconclusive'],
    [null, 0.001, 'inconclusive'],
  ])('%o with p = %d is %s', (interval, p, verdict) => {
    expect(verdictOf(interval, p, 0.05)).toBe(verdict);
  });
});
