import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long work that can be interrupted wherever it yields, which it does every millisecond or so. */
export type PausableWork<Result> = Generator<undefined, Result, undefined>;

/** Does the work in slices of a few milliseconds, so that other work of the process can run in between. */
export async function runInSlices<Result>(work: PausableWork<Result>): Promise<Result> {
  let sliceStart = performance.now();
  let step = work.next();
  while (!step.done) {
    if (performance.now() - sliceStart >= sliceMilliseconds) {
      await nextTurn();
      sliceStart = performance.now();
    }
    step = work.next();
  }
  return step.value;
}

/** Takes in all items, giving everything else its turns even where the source never waits. */
export async function collectInSlices<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
): Promise<readonly Item[]> {
  const collected: Item[] = [];
  let sliceStart = performance.now();
  for await (const item of items) {
    collected.push(item);
    if (performance.now() - sliceStart < sliceMilliseconds) continue;
    await nextTurn();
    sliceStart = performance.now();
  }
  return collected;
}

const sliceMilliseconds = 5;
