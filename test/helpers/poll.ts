import { setTimeout } from 'node:timers/promises';

/** Asks until the answer is there. Throws when it is not in time. */
export async function waitFor<Value>(
  ask: () => Promise<Value | undefined | false> | Value | undefined | false,
  { within = 15_000, every = 20 } = {},
): Promise<Value> {
  const deadline = performance.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) {
      throw new Error(`Still waiting after ${within} ms: ${ask.toString()}`);
    }
    await setTimeout(every);
  }
}
