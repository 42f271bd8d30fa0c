import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { doTask } from './do-task.ts';
import type { TaskInput, TaskName, TaskPart, TaskResult } from './statistics-tasks.ts';

/** What takes less is done at once, since a thread costs more to start. */
const millisecondsAtOnce = 15;

/** Nanoseconds of work, reckoned from the size of the input: measured, and rounded up. */
const reckon: { readonly [Name in TaskName]: (input: TaskInput<Name>) => number } = {
  comparePaired: ({ baseline, options }) =>
    7.5 * baseline.length * (options.resamples + options.permutations / 8),
  meanIntervals: ({ columns, groups, options }) =>
    7.5 * options.resamples * columns.length * count(groups, ({ length }) => length),
  boundDifferences: ({ questions }) =>
    2000 * count(questions, ({ baseline, candidate }) => baseline.length + candidate.length),
  // Each label is weighed against the whole pool of its question.
  planLabels: ({ questions }) =>
    500 * count(questions, ({ baseline, candidate }) => (baseline.length + candidate.length) ** 2),
  measurePoolBias: ({ questions }) =>
    1000 *
    count(
      questions,
      ({ rankings }) =>
        rankings.size * count([...rankings.values()], (ranking) => ranking.length + 20),
    ),
};

/**
 * Does a task without holding up the process: a small one at once, a large one in a thread of its own.
 * `isSmall` decides in place of its reckoned time.
 */
export async function runTask<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
  isSmall: boolean = reckon[name](input) <= millisecondsAtOnce * 1e6,
): Promise<TaskResult<Name>> {
  if (isSmall) return doTask(name, input);
  const workerData = { name };
  const worker = new Worker(new URL('statistics-worker.ts', import.meta.url), { workerData });
  try {
    // An error in the thread rejects this.
    const [answer] = await Promise.all([once(worker, 'message'), sendInParts(worker, input)]);
    return answer[0] as TaskResult<Name>;
  } finally {
    await worker.terminate();
  }
}

/** Few enough that copying their rankings takes a few milliseconds. */
const questionsInPart = 200;

/** Copying a million ids takes longer than anything may hold up the process, so others get their turn in between. */
async function sendInParts(worker: Worker, input: TaskInput<TaskName>): Promise<void> {
  const questions: readonly unknown[] = 'questions' in input ? input.questions : [];
  for (let start = 0; start < questions.length; start += questionsInPart) {
    const part: TaskPart = { questions: questions.slice(start, start + questionsInPart) };
    worker.postMessage(part);
    await setImmediate();
  }
  const last: TaskPart = { rest: 'questions' in input ? { ...input, questions: [] } : input };
  worker.postMessage(last);
}

function count<Item>(items: readonly Item[], size: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + size(item), 0);
}
