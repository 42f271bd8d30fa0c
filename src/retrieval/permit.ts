import { AsyncLocalStorage } from 'node:async_hooks';

const permits = new AsyncLocalStorage<() => Promise<void>>();

/**
 * Does work whose calls to others, each of which is billed, are sent only while `permit` resolves. A call
 * may have waited long for its turn since the work began, and the right to make it may be gone by then.
 */
export function underPermit<Value>(
  permit: (() => Promise<void>) | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  return permit ? permits.run(permit, work) : work();
}

/** To be waited for right before a call is sent. Rejects when the right to make it was lost. */
export async function waitForPermit(): Promise<void> {
  await permits.getStore()?.();
}
