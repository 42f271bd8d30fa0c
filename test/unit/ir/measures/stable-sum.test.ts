import { describe, expect, it } from 'vitest';

import { createMean, createMeanColumns } from '../../../../src/ir/stable-sum.ts';

describe('createMean', () => {
  it.each([
    [[], undefined],
    [[0.25], 0.25],
    [[1, 2, 6], 3],
    // Neumaier's own example: a plain sum gives 0, Kahan's too; the sum is 2.
    [[1, 1e100, 1, -1e100], 0.5],
    [[1e100, 1, -1e100, 1], 0.5],
  ])('of %j is %s', (values, expected) => {
    const mean = createMean();
    values.forEach((value) => mean.add(value));
    expect(mean.mean).toBe(expected);
    expect(mean.count).toBe(values.length);
  });

  it('does not drift over a million values', () => {
    const mean = createMean();
    Array.from({ length: 1_000_000 }, () => 0.1).forEach((value) => mean.add(value));
    expect(mean.mean).toBe(0.1);
  });
});

describe('createMeanColumns', () => {
  it('gives each column the mean of createMean', () => {
    const rows = Array.from({ length: 1000 }, (_, row) => [1 / (row + 1), 1e16 * (-1) ** row, row]);
    const columns = createMeanColumns(3);
    const means = [createMean(), createMean(), createMean()];
    for (const row of rows) {
      columns.add(row);
      for (const [index, mean] of means.entries()) mean.add(row[index] ?? 0);
    }

    expect(columns.count()).toBe(1000);
    expect(means.map((_mean, index) => columns.meanOf(index))).toEqual(
      means.map(({ mean }) => mean),
    );
    // 0 + 1 + … + 999.
    expect(columns.meanOf(2)).toBe(499.5);
  });

  it('has no mean before the first row', () => {
    expect(createMeanColumns(1).meanOf(0)).toBeUndefined();
  });
});
