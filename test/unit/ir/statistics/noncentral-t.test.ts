import { describe, expect, it } from 'vitest';

import { noncentralTCdf } from '../../../../src/ir/statistics/noncentral-t.ts';
import { absoluteError } from './samples.ts';

describe('noncentralTCdf', () => {
  // mpmath 1.3, 25 digits: quadrature of Φ(t x / √ν − δ) over the chi distribution of x.
  it.each([
    [-3, 1, -0.3, 0.14446551890104337],
    [2.2, 1, -0.3, 0.9082562379040499],
    [63, 1, 2, 0.9745702436262507],
    [63, 1, 40, 0.52553233851401],
    [2.2, 9, 2, 0.5480030242104387],
    [-3, 9, 2, 1.566139929754256e-5],
    [2.2, 9, 5, 0.005770363033671209],
    [63, 9, 40, 0.9335853623333458],
    [2.2, 199, 2, 0.5777107122757096],
    [2.2, 1e6, 2, 0.5792593997335809],
    [125, 9, 120, 0.5047883935297209],
    [125, 999, 120, 0.9534129405521248],
    [125, 9999, 120, 0.9999110233673975],
    [2.2, 9, 40, 0],
    // Without noncentrality it is Student's t: 0.975 at 12.706204736174698 on one degree of freedom (tables).
    [12.706204736174698, 1, 0, 0.975],
    [-12.706204736174698, 1, 0, 0.025],
    // At 0 only the normal part counts: Φ(−1).
    [0, 7, 1, 0.15865525393145707],
    // So does it where t² is too small for a number: Φ(−2).
    [1e-170, 7, 2, 0.02275013194817921],
    [2, 7, 1e-170, 0.957190335718512],
  ])('F(%d; %d, %d)', (t, degrees, noncentrality, expected) => {
    expect(absoluteError(noncentralTCdf(t, degrees, noncentrality), expected)).toBeLessThan(1e-10);
  });

  // For δ → ∞, T / δ is √(ν / V) with V of the chi-square distribution: P(T ≤ δ) is P(V ≥ ν), from tables.
  it.each([
    [1e16, 1, 1e16, 0.3173105],
    [1e10, 9, 1e10, 0.4372742],
    [-1e10, 9, -1e10, 0.5627258],
    [637, 1, 1e13, 0],
    [637, 1, Infinity, 0],
  ])('F(%d; %d, %d) ends', (t, degrees, noncentrality, expected) => {
    expect(absoluteError(noncentralTCdf(t, degrees, noncentrality), expected)).toBeLessThan(1e-7);
  });
});
