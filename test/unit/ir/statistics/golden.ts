import { readFileSync } from 'node:fs';

import { readGoldenTable } from '../../../helpers/golden-table.ts';

export interface GoldenPair {
  readonly name: string;
  readonly n: number;
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly expected: {
    readonly meanA: number;
    readonly meanB: number;
    readonly meanDiff: number;
    readonly sdDiff: number;
    readonly wins: number;
    readonly ties: number;
    readonly losses: number;
    readonly cohenDz: number;
    readonly ttest_rel: { readonly t: number; readonly p: number };
    readonly wilcoxon: {
      readonly pratt: {
        readonly approx_continuity: { readonly p: number };
        readonly exact_with_ties: { readonly p: number; rPlus: number; rMinus: number } | null;
      };
    };
    readonly signTest: { readonly p: number } | null;
    readonly randomization_exact: { readonly p: number };
    readonly bootstrap_meanDiff: {
      readonly bca: {
        readonly ci95: readonly [number, number];
        readonly tolerance: { readonly at_1e4_resamples: readonly [number, number] };
      };
    };
  };
}

interface PowerRow {
  readonly alpha: number;
  readonly alternative: 'two-sided' | 'one-sided';
}

export interface GoldenPower {
  readonly mde: readonly (PowerRow & { n: number; power: number; dz: number })[];
  readonly requiredN: readonly (PowerRow & { dz: number; power: number; n: number })[];
  readonly power: readonly (PowerRow & { n: number; dz: number; power: number })[];
}

export interface GoldenFamilies {
  readonly sets: Readonly<
    Record<string, { p: readonly number[]; expected: { holm: { adjusted: readonly number[] } } }>
  >;
}

const expectedByPair = JSON.parse(
  readFileSync('test/golden/statistics/pairs.json', 'utf8'),
) as Readonly<Record<string, GoldenPair['expected']>>;

const values = Map.groupBy(readGoldenTable('statistics/pairs'), ([pair = '']) => pair);

/** Eight pairs of vectors; differences are a − b, so a is the candidate. */
export const goldenPairs: readonly GoldenPair[] = Object.entries(expectedByPair).map(
  ([name, ofPair]) => {
    const rows = values.get(name) ?? [];
    const a = rows.map((row) => Number(row[1]));
    const b = rows.map((row) => Number(row[2]));
    return { name, n: rows.length, a, b, expected: ofPair };
  },
);

const powerRows = Map.groupBy(
  readGoldenTable('statistics/power').map(([asked = '', alpha, alternative, n, dz, power]) => ({
    asked,
    alpha: Number(alpha),
    alternative: alternative as PowerRow['alternative'],
    n: Number(n),
    dz: Number(dz),
    power: Number(power),
  })),
  ({ asked }) => asked,
);

export const goldenPower: GoldenPower = {
  mde: powerRows.get('mde') ?? [],
  requiredN: powerRows.get('requiredN') ?? [],
  power: powerRows.get('power') ?? [],
};

export const goldenFamilies: GoldenFamilies = {
  sets: Object.fromEntries(
    [...Map.groupBy(readGoldenTable('statistics/holm'), ([family = '']) => family)].map(
      ([family, rows]) => {
        const p = rows.map((row) => Number(row[1]));
        const adjusted = rows.map((row) => Number(row[2]));
        return [family, { p, expected: { holm: { adjusted } } }];
      },
    ),
  ),
};

/** How many differences are not zero: what decides between exact and approximate tests. */
export function nonZero({ expected }: GoldenPair): number {
  return expected.wins + expected.losses;
}
