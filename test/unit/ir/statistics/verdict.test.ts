import { describe, expect, it } from 'vitest';

import { verdictOf } from '../../../../src/ir/statistics/verdict.ts';

describe('verdictOf', () => {
  it.each([
    [{ low: 0.01, high: 0.2 }, 'better'],
    [{ low: -0.2, high: -0.01 }, 'worse'],
    [{ low: -0.1, high: 0.1 }, 'inconclusive'],
    [{ low: 0, high: 0.1 }, 'inconclusive'],
    [{ low: -0.1, high: 0 }, 'inconclusive'],
    [null, 'inconclusive'],
  ])('%o is %s', (interval, verdict) => {
    expect(verdictOf(interval)).toBe(verdict);
  });
});
