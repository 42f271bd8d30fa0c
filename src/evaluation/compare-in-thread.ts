import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { comparePaired } from '../ir/statistics/compare-paired.ts';
import type { PairedComparison } from '../ir/statistics/paired-comparison.ts';
import type { StatisticsTask } from './statistics-worker.ts';

/** Draws that take some 15 ms: less is done at once, since a thread costs more to start. */
const drawsAtOnce = 2_000_000;

/** Compares two runs without holding up the process: large comparisons run in a thread of their own. */
export async function compareInThread(task: StatisticsTask): Promise<PairedComparison> {
  const { baseline, candidate, options } = task;
  const draws = baseline.length * (options.resamples + options.permutations / 8);
  if (draws <= drawsAtOnce) return comparePaired(baseline, candidate, options);
  const worker = new Worker(new URL('statistics-worker.ts', import.meta.url), { workerData: task });
  try {
    // An error in the thread rejects this.
    const [comparison] = (await once(worker, 'message')) as [PairedComparison];
    return comparison;
  } finally {
    await worker.terminate();
  }
}
