import { AsyncLocalStorage } from 'node:async_hooks';

/** Rejects when another instance has taken the work over. */
export type AssertClaimHeld = () => Promise<void>;

/*
 * A storage and not a parameter: a call that forgot to hand it on would be sent, and paid for, by two instances, and no
 * test of that call alone would show it.
 */
const claims = new AsyncLocalStorage<AssertClaimHeld>();

/** Does work whose requests, each of which is billed, are sent only while its claim is held. */
export function underClaim<Value>(
  assertHeld: AssertClaimHeld | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  return assertHeld ? claims.run(assertHeld, work) : work();
}

/** Call it right before a request is sent: a request may wait long for its turn, and the claim may be lost by then. */
export async function assertClaimHeld(): Promise<void> {
  await claims.getStore()?.();
}
