import tCdf from '@stdlib/stats-base-dists-t-cdf';

import type { DifferenceSummary } from './differences.ts';
import { twoSidedP } from './two-sided-p.ts';

/** Both are `null` where the differences have no spread, or are fewer than two. */
export interface TTestResult {
  readonly statistic: number | null;
  readonly p: number | null;
}

/** Student's paired t-test, two-sided: t = mean / (deviation / √n) on n − 1 degrees of freedom. */
export function pairedTTest({ questions, mean, deviation }: DifferenceSummary): TTestResult {
  if (mean === null || deviation === null || deviation === 0) return { statistic: null, p: null };
  const statistic = mean / (deviation / Math.sqrt(questions));
  return { statistic, p: twoSidedP(tCdf(-Math.abs(statistic), questions - 1)) };
}
