import { setImmediate } from 'node:timers/promises';

/** Lets the rest of the process run every few milliseconds, for work that never waits for anything. */
export function createYieldToEventLoop(): () => Promise<void> {
  const maxMs = 5;
  let last = performance.now();
  return async () => {
    if (performance.now() - last < maxMs) return;
    await setImmediate();
    last = performance.now();
  };
}
