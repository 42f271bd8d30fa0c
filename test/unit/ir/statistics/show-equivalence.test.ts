import { describe, expect, it } from 'vitest';

import { showEquivalence } from '../../../../src/ir/statistics/show-equivalence.ts';

const request = { margin: 0.05, alpha: 0.05 };
const bounded = { isBounded: true, isIdentical: false };
const zeros = (count: number) => ({
  baseline: Array.from({ length: count }, () => 0.5),
  candidate: Array.from({ length: count }, () => 0.5),
});

describe('showEquivalence', () => {
  it.each([
    [5, false],
    [20, false],
    [49, false],
    [50, true],
  ])('with %d equal values on other rankings is shown: %s', (count, equivalent) => {
    expect(showEquivalence(zeros(count), request, bounded).equivalent).toBe(equivalent);
  });

  it('says what few questions cannot see', () => {
    const found = showEquivalence(zeros(20), request, bounded);
    expect(found.blindTo).toBeCloseTo(0.139_108, 6);
    expect(found.explanation).toBe(
      'Not shown to differ by less than 0.05 (too few questions: requires 50, or identical rankings throughout); with these 20 questions, a total change on up to 14 % of questions would go unseen.',
    );
  });

  it('is shown by identical rankings, and says that these are why', () => {
    const found = showEquivalence(zeros(5), request, { ...bounded, isIdentical: true });
    expect(found).toMatchObject({ equivalent: true, isIdentical: true });
    expect(found.explanation).toContain('(every ranking is identical)');
  });

  // Without a change p = 0.95^n: 0.0511 for 58, 0.0485 for 59.
  it.each([
    [58, false],
    [59, true],
  ])('is guaranteed by %d equal values: %s', (count, equivalent) => {
    const options = { ...request, strength: 'guaranteed' } as const;
    const found = showEquivalence(zeros(count), options, { ...bounded, isIdentical: true });
    expect(found).toMatchObject({ equivalent, questionsNeeded: 59, strength: 'guaranteed' });
    expect(found.guaranteedP).toBeCloseTo(0.95 ** count, 12);
  });

  it('looks at gains as at losses', () => {
    const gains = {
      baseline: zeros(200).baseline,
      candidate: zeros(200).baseline.map((v, i) => (i < 20 ? 1 : v)),
    };
    const losses = { baseline: gains.candidate, candidate: gains.baseline };
    const options = { ...request, strength: 'guaranteed' } as const;
    const [up, down] = [gains, losses].map((values) => showEquivalence(values, options, bounded));
    expect(up?.guaranteedP).toBeGreaterThan(0.05);
    expect(down?.guaranteedP).toBe(up?.guaranteedP);
  });

  it('guarantees nothing without a bound of the measure, and says so', () => {
    const options = { ...request, strength: 'guaranteed' } as const;
    const found = showEquivalence(zeros(60), options, { isBounded: false, isIdentical: false });
    expect(found).toMatchObject({ equivalent: true, strength: 'usual', guaranteedP: null });
    expect(found.explanation).toContain('no upper bound');
  });
});
