import { describe, expect, it } from 'vitest';

import {
  createComputations,
  type Computations,
} from '../../../../src/evaluation/computations/computations.ts';

/** Work that ends when it is told to, and notes when it starts. */
function createHeldWork() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const hold = (name: string) => () => {
    started.push(name);
    const { promise, resolve } = Promise.withResolvers<string>();
    ends.set(name, () => resolve(name));
    return promise;
  };
  return { started, hold, end: (name: string) => ends.get(name)?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

function start(computations: Computations, work: ReturnType<typeof createHeldWork>) {
  return (name: string, signal?: AbortSignal) =>
    computations.run({ tenant: name[0] ?? '', signal }, work.hold(name));
}

describe('large computations', () => {
  it('run as many at once as the limit says, and tenants take turns', async () => {
    const computations = createComputations({ atOnce: 1, maxWaiting: 10 });
    const work = createHeldWork();
    const run = start(computations, work);
    const all = ['a1', 'a2', 'a3', 'b1'].map((name) => run(name));
    await settle();
    expect(work.started).toEqual(['a1']);
    expect(computations.count()).toEqual({ running: 1, waiting: 3 });

    for (const name of ['a1', 'a2', 'b1', 'a3']) {
      work.end(name);
      await settle();
    }

    expect(work.started).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(computations.count()).toEqual({ running: 0, waiting: 0 });
  });

  it('are refused beyond the queue, except for what had a turn before', async () => {
    const computations = createComputations({ atOnce: 1, maxWaiting: 1 });
    const work = createHeldWork();
    const run = start(computations, work);
    const held = [run('a1'), run('a2')];

    await expect(run('a3')).rejects.toMatchObject({
      code: 'unavailable',
      details: { retryAfterSeconds: 5 },
    });
    const admitted = computations.run({ tenant: 'a', isAdmitted: true }, work.hold('a4'));
    for (const name of ['a1', 'a2', 'a4']) {
      work.end(name);
      await settle();
    }
    expect(await Promise.all([...held, admitted])).toEqual(['a1', 'a2', 'a4']);
  });

  it('leave the queue when their sender goes, and free their place when they fail', async () => {
    const computations = createComputations({ atOnce: 1, maxWaiting: 1 });
    const gone = new AbortController();
    const work = createHeldWork();
    const run = start(computations, work);
    const first = run('a1');
    const waiting = run('a2', gone.signal);
    gone.abort(new Error('gone'));

    await expect(waiting).rejects.toThrow('gone');
    await expect(run('a3', gone.signal)).rejects.toThrow('gone');
    expect(computations.count()).toEqual({ running: 1, waiting: 0 });
    work.end('a1');
    await first;
    const failing = computations.run({ tenant: 'a' }, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(computations.count()).toEqual({ running: 0, waiting: 0 });
    expect(work.started).toEqual(['a1']);
  });
});
