import { describe, expect, it } from 'vitest';

import { goldenFamilies, goldenPairs, goldenPower, nonZero } from './golden.ts';

describe('golden results', () => {
  it('are all there, with pairs for every exact and every approximate test', () => {
    const { mde, requiredN, power } = goldenPower;
    expect(goldenPairs.map(nonZero)).toEqual([10, 10, 1, 0, 17, 24, 50, 158]);
    expect([mde.length, requiredN.length, power.length]).toEqual([56, 56, 196]);
    expect(Object.keys(goldenFamilies.sets)).toHaveLength(6);
  });
});
