import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sampleIds } from '../../../src/ir/sampling.ts';

const ids = Array.from({ length: 10 }, (_, index) => `q${index}`);

describe('sampleIds', () => {
  it('takes as many distinct ids as asked for, in their order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string()),
        fc.nat({ max: 20 }),
        fc.integer(),
        (given, size, seed) => {
          const sample = sampleIds(given, { size, seed });
          const inOrder = given.filter((id) => sample.includes(id));
          expect(sample).toEqual(inOrder);
          expect(sample).toHaveLength(Math.min(size, given.length));
        },
      ),
    );
  });

  it('is the same for the same ids, size and seed', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 }), fc.integer(), (size, seed) => {
        expect(sampleIds(ids, { size, seed })).toEqual(sampleIds([...ids], { size, seed }));
      }),
    );
  });

  it('takes other ids for another seed', () => {
    const samples = seeds(100).map((seed) => sampleIds(ids, { size: 5, seed }).join(' '));
    // 252 samples are possible: 100 draws of them show about 83 different ones.
    expect(new Set(samples).size).toBeGreaterThan(60);
  });

  it.each(ids.map((id) => [id]))(
    'takes %s as often as any other, also over seeds in a row',
    (id) => {
      const taken = seeds(4_000).filter((seed) => sampleIds(ids, { size: 3, seed }).includes(id));
      // Binomial(4000, 0.3): mean 1200, standard deviation 29; five of them.
      expect(Math.abs(taken.length - 1_200)).toBeLessThan(145);
    },
  );

  it.each([10, 11, 1_000])('takes all ids when the size is %d of 10', (size) => {
    expect(sampleIds(ids, { size, seed: 7 })).toEqual(ids);
  });

  it('takes none for size 0', () => {
    expect(sampleIds(ids, { size: 0, seed: 7 })).toEqual([]);
  });

  it.each([-1, 1.5, Number.NaN])('refuses the size %s', (size) => {
    expect(() => sampleIds(ids, { size, seed: 7 })).toThrow(RangeError);
  });
});

function seeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, seed) => seed);
}
