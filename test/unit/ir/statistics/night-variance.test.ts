import { describe, expect, it } from 'vitest';

import { createNightVariance } from '../../../../src/ir/statistics/night-variance.ts';

const night = (mean: number) => Array.from({ length: 100 }, () => mean);
function after(means: readonly number[]) {
  const variance = createNightVariance();
  for (const mean of means) variance.add(night(mean));
  return variance.known();
}

describe('createNightVariance', () => {
  it('knows nothing before the first night, and of nights without a change that they have none', () => {
    expect(createNightVariance().known()).toBeNull();
    expect(after([0, 0, 0])).toEqual({ own: 0, common: 0 });
  });

  // Two of a hundred differ by 1/2: Σd² / (2n²) = 0.000025, and the night's mean has not moved.
  it('takes what questions do each for itself from their differences', () => {
    const variance = createNightVariance();
    variance.add([0.5, -0.5, ...Array.from({ length: 98 }, () => 0)]);
    expect(variance.known()).toEqual({ own: 0.000_025, common: 0 });
  });

  // Steps of 0.1 up and down: each half square is 0.005; own is 0.01 / 200 in three of five nights. The fourth of five
  // values: I_x(4, 2) = 5x⁴ − 4x⁵ is 0.2 at x = 0.509 807 7, whose χ² quantile is that of the normal at 0.754 904, 0.690 003².
  it('bounds what the questions of a night have in common', () => {
    const found = after([0.1, 0, 0.1, 0, 0.1]);
    const share = 0.509_807_7;
    expect(5 * share ** 4 - 4 * share ** 5).toBeCloseTo(0.2, 6);
    expect(found?.own).toBeCloseTo(0.000_03, 12);
    expect(found?.common).toBeCloseTo(0.005 / 0.690_003 ** 2 - 0.000_03, 5);
  });

  it('takes one step for a change of search and not for noise', () => {
    expect(after([0, 0, 0, -0.3, -0.3, -0.3])?.common).toBe(0);
  });
});
