import { describe, expect, it } from 'vitest';

import { stakes } from '../../../../src/ir/statistics/betting.ts';
import { createDropTest } from '../../../../src/ir/statistics/sequential-drop.ts';

const options = { maxDrop: 0.02, confidence: 0.95 };
const repeat = (value: number, count: number) => Array.from({ length: count }, () => value);
const meanOverStakes = (f: (stake: number) => number) =>
  stakes.reduce((sum, stake) => sum + f(stake), 0) / stakes.length;
/** What a stake makes of ten questions without a change, at a margin of 0.02. */
const night = (stake: number) => (1 - (stake / 1.02) * 0.02) ** 10;

describe('createDropTest', () => {
  // α = 0.05, of which 0.01 is for the baseline's luck: 1 / 0.04.
  it.each([
    [0.95, 25],
    [0.9, 12.5],
    [0.99, 125],
  ])('at a confidence of %d alarms at %d', (confidence, threshold) => {
    expect(createDropTest({ ...options, confidence }).threshold).toBe(threshold);
  });

  // By hand, ten equal questions: half of the whole enters in night 1 and is multiplied by (1 − λ · 0.02)^10,
  // a sixth more in night 2 and both again; a third waits. λ = stake / 1.02, the margin is 0.02.
  it('has the evidence worked by hand over two nights without a change', () => {
    const test = createDropTest(options);
    const first = test.add(repeat(0, 10));
    const second = test.add(repeat(0, 10));

    expect(first.margin).toBe(0.02);
    expect(first.evidence).toBeCloseTo(1 / 2 + meanOverStakes((s) => night(s) / 2), 12);
    expect(second.evidence).toBeCloseTo(
      1 / 3 + meanOverStakes((s) => (night(s) / 2 + 1 / 6) * night(s)),
      12,
    );
  });

  // Two of a hundred differ by 1/2: Σd² / (2n²) = 0.5 / 20,000 = 0.000025, a deviation of 0.005. The normal
  // quantile of 0.99 is 2.3263479. From the second night on the first one's counts.
  it('allows for the luck of the baseline', () => {
    const test = createDropTest(options);
    const first = test.add([0.5, -0.5, ...repeat(0, 98)]);
    const second = test.add(repeat(0, 100));
    const third = test.add(repeat(0, 100));

    expect(first.margin).toBeCloseTo(0.02 + 2.326_347_9 * 0.005, 8);
    expect(second.margin).toBe(first.margin);
    expect(third.margin).toBeCloseTo(0.02 + 2.326_347_9 * 0.005 * Math.sqrt(1 / 2), 8);
  });

  it('holds no night against what is known of luck from itself or later ones', () => {
    const test = createDropTest(options);
    const before = Array.from({ length: 8 }, () => test.add(repeat(0, 20)).margin);

    expect([...before, test.add(repeat(-0.5, 20)).margin]).toEqual(repeat(0.02, 9));
    expect(test.add(repeat(0, 20)).margin).toBeGreaterThan(0.02);
  });

  it('keeps a skipped night’s place without evidence from it', () => {
    const skipping = createDropTest(options);
    const before = skipping.add(repeat(0, 10));
    const skipped = skipping.add(null);

    expect(skipped.margin).toBeNull();
    expect(skipped.evidence).toBeCloseTo(before.evidence, 12);
    expect(skipping.add(repeat(0, 10)).evidence).toBeCloseTo(
      1 / 4 + meanOverStakes((s) => (night(s) / 2 + 1 / 6 + 1 / 12) * night(s)),
      12,
    );
  });

  it('never alarms while nothing changes, and soon after a tenth of the questions is lost', () => {
    const test = createDropTest(options);
    const still = Array.from({ length: 200 }, () => test.add(repeat(0, 100)).evidence);
    const lost = [...repeat(-1, 10), ...repeat(0, 90)];
    const after = Array.from({ length: 5 }, () => test.add(lost).evidence);

    expect(Math.max(...still)).toBeLessThan(1);
    expect(after.findIndex((evidence) => evidence >= test.threshold)).toBeGreaterThan(0);
  });

  // Means of nights that swing by 0.02 together, 300 questions each: what independent questions could not do.
  it('does not take shocks that are common to a night for a drop', () => {
    const test = createDropTest({ maxDrop: 0, confidence: 0.95 });
    const swings = [0.02, -0.03, 0.01, -0.02, 0.03, -0.01, -0.03, 0.02, -0.02, 0.01, -0.03, 0.03];
    const evidence = swings.map((swing) => test.add(repeat(swing, 300)).evidence);

    expect(Math.max(...evidence)).toBeLessThan(1);
  });

  it('still finds a drop beyond such shocks', () => {
    const test = createDropTest({ maxDrop: 0, confidence: 0.95 });
    const swings = [0.02, -0.03, 0.01, -0.02, 0.03, -0.01, -0.03, 0.02, -0.02, 0.01, -0.03, 0.03];
    for (const swing of swings) test.add(repeat(swing, 300));
    const after = swings.map((swing) => test.add(repeat(swing - 0.3, 300)).evidence);

    expect(after.some((evidence) => evidence >= test.threshold)).toBe(true);
  });

  it('ends at the largest number instead of infinity', () => {
    const test = createDropTest(options);
    test.add(repeat(0, 5000));

    expect(test.add(repeat(-1, 5000)).evidence).toBe(Number.MAX_VALUE);
  });

  it('counts a night without questions as one without news', () => {
    expect(createDropTest(options).add([]).evidence).toBeCloseTo(1, 12);
  });

  it.each([
    { ...options, maxDrop: -0.1 },
    { ...options, maxDrop: Number.NaN },
    { ...options, confidence: 1 },
  ])('refuses %j', (wrong) => {
    expect(() => createDropTest(wrong)).toThrow(RangeError);
  });
});
