import { parentPort, workerData } from 'node:worker_threads';

import { comparePaired, type ComparisonOptions } from '../ir/statistics/compare-paired.ts';

/** What the thread is given: one value a question and side, in the same order. */
export interface StatisticsTask {
  readonly baseline: readonly number[];
  readonly candidate: readonly number[];
  readonly options: ComparisonOptions;
}

const { baseline, candidate, options } = workerData as StatisticsTask;
parentPort?.postMessage(comparePaired(baseline, candidate, options));
