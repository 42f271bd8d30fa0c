import { expect, it, describe } from 'vitest';

import { startPollLoop } from '../../../src/jobs/poll-loop.ts';

const log = { info: () => undefined, error: () => undefined };

/** A sleep that ends at once, and stops the loop after so many pauses. */
function createSleep(rounds: number) {
  const pauses: number[] = [];
  const enough = Promise.withResolvers<void>();
  const sleep = (ms: number, signal: AbortSignal) => {
    pauses.push(ms);
    if (pauses.length < rounds) return Promise.resolve();
    enough.resolve();
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  return { pauses, sleep, enough: enough.promise };
}

describe('startPollLoop', () => {
  it('sleeps until the next work, no longer than it may and never backwards', async () => {
    const { pauses, sleep, enough } = createSleep(3);
    const waits = [70, -5, 900];
    const step = () => Promise.resolve(waits.shift() ?? 0);
    const loop = startPollLoop({ name: 'test', step, maxMs: 100, log, sleep });
    await enough;
    await loop.close();

    expect(pauses).toEqual([70, 0, 100]);
  });

  it('goes on after a round that failed', async () => {
    const { pauses, sleep, enough } = createSleep(2);
    const results = [Promise.reject(new Error('no store')), Promise.resolve(7)];
    const step = () => results.shift() ?? Promise.resolve(0);
    const loop = startPollLoop({ name: 'test', step, maxMs: 100, log, sleep });
    await enough;
    await loop.close();

    expect(pauses).toEqual([100, 7]);
  });

  it('ends a real pause when it is closed', async () => {
    const options = { name: 'test', maxMs: 60_000, log };
    const loop = startPollLoop({ ...options, step: async () => 60_000 });

    await expect(loop.close()).resolves.toBeUndefined();
  });
});
