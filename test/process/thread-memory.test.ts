import type * as threads from 'node:worker_threads';

import { expect, it, vi } from 'vitest';

import { runTask } from '../../src/evaluation/statistics/run-task.ts';

const megabytes = 96;

/** Threads as the service starts them, but with less memory, so that little work is too much. */
vi.mock('node:worker_threads', async (load) => {
  const original = await load<typeof threads>();
  class SmallWorker extends original.Worker {
    constructor(file: URL) {
      super(file, { resourceLimits: { maxOldGenerationSizeMb: megabytes } });
    }
  }
  return { ...original, Worker: SmallWorker };
});

const judgments = new Map([['d0', 1]]);
const poolOf = (documents: number) => {
  const ids = Array.from({ length: documents }, (_, index) => `d${index}`);
  return {
    measure: 'nDCG@3',
    questions: [{ rankings: new Map([['x', ids]]), judgments }],
    maxGrade: 1,
    depth: 2,
  };
};

it(
  'a thread that runs out of memory rejects as unavailable, and the next one works',
  { timeout: 60_000 },
  async () => {
    const tooMuch = runTask('measurePoolBias', poolOf(3_000_000), false);

    await expect(tooMuch).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('MiB of memory') as unknown,
      cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' },
    });
    const small = poolOf(10);
    expect(await runTask('measurePoolBias', small, false)).toEqual(
      await runTask('measurePoolBias', small, true),
    );
  },
);
