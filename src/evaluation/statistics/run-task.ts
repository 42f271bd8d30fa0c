import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

import { AppError } from '../../errors.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { currentSignal, inTurn } from '../computations/current-request.ts';
import { doTask } from './do-task.ts';
import { threadMegabytes, useThread } from './threads.ts';
import type { QuestionOf, TaskInput, TaskName, TaskPart, TaskResult } from './statistics-tasks.ts';

/** What takes less is done at once, since a thread costs more to start. */
const nanosecondsAtOnce = 15e6;

/** Nanoseconds of work, reckoned from the size of the input: measured, and rounded up. */
const reckon: {
  readonly [Name in Exclude<TaskName, keyof typeof reckonQuestion>]: (
    input: TaskInput<Name>,
  ) => number;
} = {
  comparePaired: ({ baseline, options }) =>
    7.5 * baseline.length * (options.resamples + options.permutations / 8),
  measurePaired: ({ baseline, options }) => 7.5 * baseline.length * options.resamples,
  randomizePaired: ({ baseline, options }) => 7.5 * baseline.length * (options.permutations / 8),
  meanIntervals: ({ columns, groups, options }) =>
    7.5 * options.resamples * columns.length * sum(groups, ({ length }) => length),
};

/** Likewise, of tasks that are done question by question. */
const reckonQuestion: {
  readonly [Name in 'boundDifferences' | 'planLabels' | 'measurePoolBias']: (
    question: QuestionOf<Name>,
  ) => number;
} = {
  boundDifferences: ({ baseline, candidate }) => 2000 * (baseline.length + candidate.length),
  // Each label is weighed against the whole pool of its question.
  planLabels: ({ baseline, candidate }) => 500 * (baseline.length + candidate.length) ** 2,
  measurePoolBias: ({ rankings }) =>
    1000 * rankings.size * sum([...rankings.values()], ({ length }) => length + 20),
};

/** As the task, but that its questions, if it has any, may be made one by one. */
type LazyInput<Name extends TaskName> = Omit<TaskInput<Name>, 'questions'> &
  ('questions' extends keyof TaskInput<Name>
    ? { readonly questions: Iterable<QuestionOf<Name>> }
    : unknown);

/**
 * Runs a task without blocking the process: a small one at once, a large one in a thread when its turn
 * comes. Rejects when its client has disconnected, and with `unavailable` when the thread runs out of memory.
 * `isSmall` decides in place of its reckoned time.
 */
export async function runTask<Name extends TaskName>(
  name: Name,
  input: LazyInput<Name>,
  isSmall?: boolean,
): Promise<TaskResult<Name>> {
  const { questions, ...rest } = input as LazyInput<Name> & { questions?: Iterable<unknown> };
  if (questions === undefined) {
    const whole = input as TaskInput<Name>;
    if (isSmall ?? isDoneAtOnce(name, whole)) return doTask(name, whole);
    return inThread(async (worker) => worker.postMessage({ name, rest: whole }));
  }
  const waiting = questions[Symbol.iterator]();
  const { taken, isAll } = takeSmall(name, waiting, isSmall);
  if (isAll) return doTask(name, { ...rest, questions: taken } as unknown as TaskInput<Name>);
  return inThread(async (worker) => {
    await sendInParts(worker, chain(taken, waiting));
    worker.postMessage({ name, rest: { ...rest, questions: [] } });
  });
}

/** Whether a task without questions is small. */
export function isDoneAtOnce<Name extends TaskName>(name: Name, input: TaskInput<Name>): boolean {
  const table: Partial<Record<TaskName, unknown>> = reckon;
  return (table[name] as (given: TaskInput<Name>) => number)(input) <= nanosecondsAtOnce;
}

/** Takes questions until they are more than is done at once. */
function takeSmall(
  name: TaskName,
  waiting: Iterator<unknown>,
  isSmall: boolean | undefined,
): { readonly taken: readonly unknown[]; readonly isAll: boolean } {
  const table: Partial<Record<TaskName, unknown>> = reckonQuestion;
  const weigh = table[name] as (question: unknown) => number;
  const limit = isSmall === undefined ? nanosecondsAtOnce : isSmall ? Infinity : -1;
  const taken: unknown[] = [];
  let nanoseconds = 0;
  while (nanoseconds <= limit) {
    const next = waiting.next();
    if (next.done === true) return { taken, isAll: true };
    taken.push(next.value);
    nanoseconds += weigh(next.value);
  }
  return { taken, isAll: false };
}

function inThread<Name extends TaskName>(
  send: (worker: Worker) => Promise<void>,
): Promise<TaskResult<Name>> {
  const signal = currentSignal();
  return inTurn(() =>
    useThread(async (worker) => {
      try {
        // An error in the thread rejects this, and so does the signal.
        const [answer] = await Promise.all([once(worker, 'message', { signal }), send(worker)]);
        return answer[0] as TaskResult<Name>;
      } catch (error) {
        signal?.throwIfAborted();
        throw isOutOfMemory(error) ? tooLarge(error) : error;
      }
    }),
  );
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooLarge(cause: unknown): AppError {
  const message = `The computation needs more than ${threadMegabytes} MiB of memory; ask for fewer questions, configurations or resamples at a time`;
  return new AppError('unavailable', message, { cause });
}

/** Few enough that copying their rankings takes a few milliseconds. */
const idsInPart = 5000;

/** Copying a million ids takes longer than anything may hold up the process, so others get their turn in between. */
async function sendInParts(worker: Worker, questions: Iterable<unknown>): Promise<void> {
  const yieldToEventLoop = createYieldToEventLoop();
  let part: unknown[] = [];
  let ids = 0;
  for (const question of questions) {
    part.push(question);
    ids += countIds(question as QuestionOf<'measurePoolBias' | 'planLabels'>);
    if (ids >= idsInPart) {
      worker.postMessage({ questions: part } satisfies TaskPart);
      [part, ids] = [[], 0];
      await setImmediate();
    }
    await yieldToEventLoop();
  }
  worker.postMessage({ questions: part } satisfies TaskPart);
}

function countIds(question: QuestionOf<'measurePoolBias' | 'planLabels'>): number {
  const rankings =
    'rankings' in question
      ? [...question.rankings.values()]
      : [question.baseline, question.candidate];
  return question.judgments.size + sum(rankings, ({ length }) => length);
}

function* chain(first: Iterable<unknown>, rest: Iterator<unknown>): Generator {
  yield* first;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

function sum<Item>(items: readonly Item[], size: (item: Item) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
