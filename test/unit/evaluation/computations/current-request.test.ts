import { describe, expect, it } from 'vitest';

import { createComputations } from '../../../../src/evaluation/computations/computations.ts';
import {
  computeFor,
  currentSignal,
  inTurn,
} from '../../../../src/evaluation/computations/current-request.ts';
import { shareWork } from '../../../../src/evaluation/computations/shared-work.ts';

const signal = undefined;
const never = () => new Promise<never>(() => {});

describe('inTurn', () => {
  it('takes one place for all that a computation does, and refuses it no second turn', async () => {
    const computations = createComputations({ atOnce: 1, maxWaiting: 0 });
    const counts: unknown[] = [];
    const note = async () => void counts.push(computations.count());

    await computeFor({ computations, tenant: 'a', signal }, async () => {
      await inTurn(() => inTurn(note));
      const other = computations.run({ tenant: 'b' }, note);
      await inTurn(note);
      await other;
    });

    expect(counts).toMatchObject([{ running: 1 }, { running: 1 }, { running: 1 }]);
  });

  it('lets what reads few rankings go on at once, and refuses the rest when no place is left', async () => {
    const computations = createComputations({ atOnce: 1, maxWaiting: 0 });
    void computations.run({ tenant: 'a' }, never);
    const run = (rankings: number) =>
      computeFor({ computations, tenant: 'b', signal }, () =>
        inTurn(async () => rankings, rankings),
      );

    expect(await run(160)).toBe(160);
    await expect(run(4000)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('lets work of no request wait, nested work too', async () => {
    const nested = Array.from({ length: 100 }, (_, index) =>
      inTurn(() => inTurn(async () => index)),
    );

    expect(await Promise.all(nested)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });
});

describe('shared work', () => {
  const computations = createComputations({ atOnce: 1, maxWaiting: 0 });

  function joinAs<Value>(gone: AbortController, work: () => Promise<Value>): Promise<Value> {
    return computeFor({ computations, tenant: 'a', signal: gone.signal }, work);
  }

  function shareHeld(gone: AbortController) {
    const { promise, resolve } = Promise.withResolvers<string>();
    const signals: (AbortSignal | undefined)[] = [];
    const shared = computeFor({ computations, tenant: 'a', signal: gone.signal }, () =>
      shareWork(() => {
        signals.push(currentSignal());
        return promise;
      }),
    );
    return { shared, resolve, signals };
  }

  it('goes on for the others when the sender that started it is gone', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { shared, resolve, signals } = shareHeld(first);
    const started = joinAs(first, shared.join);
    const joined = joinAs(second, shared.join);
    first.abort(new Error('gone'));
    await expect(started).rejects.toThrow('gone');
    resolve('done');

    expect(await joined).toBe('done');
    expect(shared.isAbandoned()).toBe(false);
    expect(signals.map((each) => each?.aborted)).toEqual([false]);
  });

  it('is aborted when all are gone', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const { shared, signals } = shareHeld(first);
    const all = [joinAs(first, shared.join), joinAs(second, shared.join)];
    first.abort(new Error('gone'));
    second.abort(new Error('gone too'));

    const ends = await Promise.allSettled(all);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(shared.isAbandoned()).toBe(true);
    expect(signals.map((each) => each?.aborted)).toEqual([true]);
  });

  it('goes on while work of no request waits for it', async () => {
    const first = new AbortController();
    const { shared, resolve } = shareHeld(first);
    const started = joinAs(first, shared.join);
    const background = shared.join();
    first.abort(new Error('gone'));
    await expect(started).rejects.toThrow('gone');
    resolve('done');

    expect(await background).toBe('done');
  });
});
