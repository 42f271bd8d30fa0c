import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

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

const directory = resolve(import.meta.dirname, '../../../../../shared/golden');

const pairNames = [
  'n10-close',
  'n10-constant-shift',
  'n10-one-difference',
  'n20-allties',
  'n20-moderate',
  'n50-mrr',
  'n50-strong',
  'n200-small',
];

/** The golden results lie beside the project and may be absent from a clone. */
export const isGoldenAbsent = !existsSync(directory);

/** Goes into the title of a suite that is skipped. */
export const whySkipped = isGoldenAbsent
  ? ' (skipped: no ../shared/golden beside the project)'
  : '';

/** Eight pairs of vectors; differences are a − b, so a is the candidate. Empty where absent. */
export const goldenPairs: readonly GoldenPair[] = isGoldenAbsent
  ? []
  : pairNames.map((name) => read(`stats-${name}.json`) as GoldenPair);

export const goldenPower: GoldenPower = isGoldenAbsent
  ? { mde: [], requiredN: [], power: [] }
  : (read('stats-power.json') as GoldenPower);

export const goldenFamilies: GoldenFamilies = isGoldenAbsent
  ? { sets: {} }
  : (read('stats-multiple-testing.json') as GoldenFamilies);

/** How many differences are not zero: what decides between exact and approximate tests. */
export function nonZero({ expected }: GoldenPair): number {
  return expected.wins + expected.losses;
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(resolve(directory, file), 'utf8'));
}
