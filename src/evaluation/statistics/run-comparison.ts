import { availableParallelism } from 'node:os';

import { concludePaired } from '../../ir/statistics/compare-paired.ts';
import type { PairedComparison } from '../../ir/statistics/paired-comparison.ts';
import { isDoneAtOnce, runTask } from './run-task.ts';
import type { TaskInput } from './statistics-tasks.ts';
import { countBusyThreads } from './threads.ts';

/** `comparePaired` as a task. A large one uses two threads as long as there is a core for each. */
export async function runComparison(input: TaskInput<'comparePaired'>): Promise<PairedComparison> {
  const hasFreeCores = countBusyThreads() + 2 <= availableParallelism();
  if (isDoneAtOnce('comparePaired', input) || !hasFreeCores) return runTask('comparePaired', input);
  const [measured, randomization] = await Promise.all([
    runTask('measurePaired', input, false),
    runTask('randomizePaired', input, false),
  ]);
  return concludePaired(measured, randomization, input.options);
}
