import { describe, expect, it } from 'vitest';

import {
  createConcurrencyLimiter,
  type ConcurrencyLimiter,
  type Place,
} from '../../../../src/retrieval/resilience/concurrency-limiter.ts';
import { createFakeClock } from './fake-clock.ts';

const { signal } = new AbortController();

describe('createConcurrencyLimiter', () => {
  it('lets in as many as the limit, and the next when one leaves', async () => {
    const gate = createConcurrencyLimiter(2, createFakeClock());
    const [first] = await enterTimes(gate, 2);
    let isIn = false;
    const third = gate.acquire(signal).then(() => (isIn = true));
    await settle();
    expect(isIn).toBe(false);

    first?.release('answered');
    await third;
    expect(isIn).toBe(true);
  });

  it('halves the limit on an overload, once for those under way together, down to one', async () => {
    const gate = createConcurrencyLimiter(8, createFakeClock());
    const limits: number[] = [];
    const overload = async () => {
      const places = await enterTimes(gate, Math.floor(gate.limit()));
      places.forEach((place) => place.release('overloaded'));
      limits.push(gate.limit());
    };
    await overload();
    await overload();
    await overload();
    await overload();
    expect(limits).toEqual([4, 2, 1, 1]);
  });

  it('raises the limit by about one for as many answers as it lets in, up to where it began', async () => {
    const gate = createConcurrencyLimiter(4, createFakeClock());
    const [place] = await enterTimes(gate, 1);
    place?.release('overloaded');
    const limits: number[] = [];
    const answer = async () => {
      const [entered] = await enterTimes(gate, 1);
      entered?.release('answered');
      limits.push(gate.limit());
    };
    await answer();
    await answer();
    await Promise.all(Array.from({ length: 20 }, answer));
    // From 2: + 1/2, then + 1/2.5.
    expect(limits.slice(0, 2)).toEqual([2.5, 2.9]);
    expect(gate.limit()).toBe(4);
  });

  it('leaves the limit as it is when a call fails otherwise', async () => {
    const gate = createConcurrencyLimiter(4, createFakeClock());
    const [place] = await enterTimes(gate, 1);
    place?.release('failed');
    expect(gate.limit()).toBe(4);
  });

  it('lets nobody in before the end of a pause, and spreads those who waited', async () => {
    const clock = createFakeClock({ random: () => 0.25 });
    const gate = createConcurrencyLimiter(4, clock);
    gate.pauseUntil(3000);
    await gate.acquire(signal);
    expect(clock.sleeps).toEqual([3250]);
  });

  it('keeps the longer of two pauses', () => {
    const gate = createConcurrencyLimiter(4, createFakeClock());
    gate.pauseUntil(3000);
    gate.pauseUntil(1000);
    expect(gate.pausedUntil()).toBe(3000);
  });

  it('stops waiting when its signal aborts, and lets the others in all the same', async () => {
    const gate = createConcurrencyLimiter(1, createFakeClock());
    const [first] = await enterTimes(gate, 1);
    const stop = new AbortController();
    const given = gate.acquire(stop.signal);
    const patient = gate.acquire(signal);
    stop.abort(new Error('cancelled'));
    await expect(given).rejects.toThrow('cancelled');

    first?.release('answered');
    await expect(patient).resolves.toBeDefined();
  });
});

function enterTimes(gate: ConcurrencyLimiter, count: number): Promise<Place[]> {
  return Promise.all(Array.from({ length: count }, () => gate.acquire(signal)));
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
