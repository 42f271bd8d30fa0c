import { describe, expect, it } from 'vitest';

import { createTurnLock } from '../../../src/jobs/turn-lock.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('createTurnLock', () => {
  it('lets work run side by side, and what must be alone by itself, in the order of the calls', async () => {
    const lock = createTurnLock();
    const events: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => async () => {
      events.push(`+${name}`);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
      });
      events.push(`-${name}`);
    };
    const all = [
      lock.run('beside', work('a')),
      lock.run('beside', work('b')),
      lock.run('alone', work('c')),
      lock.run('beside', work('d')),
    ];
    for (let round = 0; round < 4; round += 1) {
      await settle();
      ends.shift()?.();
    }
    await Promise.all(all);

    expect(events).toEqual(['+a', '+b', '-a', '-b', '+c', '-c', '+d', '-d']);
  });

  it('goes on after work that fails', async () => {
    const lock = createTurnLock();
    const failing = lock.run('alone', () => Promise.reject(new Error('broken')));

    await expect(failing).rejects.toThrow('broken');
    expect(await lock.run('alone', async () => 7)).toBe(7);
  });
});
