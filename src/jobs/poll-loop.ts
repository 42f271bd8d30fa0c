import { setTimeout } from 'node:timers/promises';

import type { JobLog } from './evaluation-jobs.ts';

export interface PollLoop {
  /** Takes no new round, and waits for the one under way. */
  readonly close: () => Promise<void>;
}

export interface PollLoopOptions {
  readonly name: string;
  /** One round. It says after how many milliseconds the next one has something to do. */
  readonly step: (signal: AbortSignal) => Promise<number>;
  /** The longest pause, since other instances and requests bring work as well. */
  readonly maxMs: number;
  readonly log: JobLog;
  /** Resolves early when the signal aborts. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Repeats a step until it is closed. A step that fails is logged, and tried again after the longest pause. */
export function startPollLoop(options: PollLoopOptions): PollLoop {
  const { name, step, maxMs, log, sleep = pause } = options;
  const stop = new AbortController();
  const run = async () => {
    while (!stop.signal.aborted) {
      const waitMs = await step(stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) log.error({ loop: name, err: error }, 'polling round failed');
        return maxMs;
      });
      await sleep(Math.min(Math.max(waitMs, 0), maxMs), stop.signal);
    }
  };
  const end = run();
  return {
    close() {
      stop.abort(new Error('The service is stopping'));
      return end;
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
