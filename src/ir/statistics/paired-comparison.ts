import type { MeanInterval } from './mean-interval.ts';
import type { RandomizationResult } from './randomization.ts';
import type { SignResult } from './sign-test.ts';
import type { TTestResult } from './t-test.ts';
import type { Verdict } from './verdict.ts';
import type { WilcoxonResult } from './wilcoxon.ts';

/** Two runs tested against each other. Differences are candidate minus baseline; `null` is undefined, and `notes` say why. */
export interface PairedComparison {
  readonly questions: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly means: { readonly baseline: number | null; readonly candidate: number | null };
  readonly meanDifference: number | null;
  readonly interval: MeanInterval | null;
  readonly tests: {
    readonly randomization: RandomizationResult;
    readonly t: TTestResult;
    readonly wilcoxon: WilcoxonResult;
    readonly sign: SignResult;
    /**
     * p of "the mean difference is 0" whatever the distribution of differences within ±1 is (Gaffke); `null` for a
     * measure without an upper bound.
     */
    readonly guaranteed: { readonly p: number | null; readonly pAdjusted?: number | null };
  };
  /** The largest share of questions on which everything could be lost, or won, without these questions showing it. */
  readonly blindTo: number;
  /** Cohen's dz: the mean difference over the standard deviation of the differences. */
  readonly effectSize: number | null;
  /** The mean difference that a two-sided t-test at 1 − confidence finds with a power of 0.8. */
  readonly minimumDetectableDifference: number | null;
  readonly verdict: Verdict;
  /** What a reader must know beside the numbers: why one is missing, or why they are thin. */
  readonly notes: readonly string[];
}
