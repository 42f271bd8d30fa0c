import { setTimeout } from 'node:timers/promises';

/** PostgreSQL: connection, resources, shutdown, deadline, serialization and deadlock, an idle transaction. */
const passingSqlStates = /^(08|53|57014|57P0[1-5]|40001|40P01|25P03|25006|58030)/;

/** The network between this process and the database. */
const passingNetworkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** What pg says, without a code, of a connection that broke or could not be made. */
const passingMessages =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|connection ended unexpectedly|not queryable/i;

/** SQLite: busy, locked, I/O error, disk full, cannot open. */
const passingSqliteCodes = new Set([5, 6, 10, 13, 14]);

/** Whether the store may do tomorrow what it refused today: nothing was wrong with what it was asked. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isTransientError)) return true;
  if ('errcode' in error && typeof error.errcode === 'number') {
    // The low byte is the code, what is above it the detail.
    return passingSqliteCodes.has(error.errcode % 256);
  }
  if ('code' in error && typeof error.code === 'string') {
    return passingNetworkCodes.has(error.code) || passingSqlStates.test(error.code);
  }
  return passingMessages.test(error.message) || isTransientError(error.cause);
}

const firstPauseMs = 50;
const maxPauseMs = 2000;

/** Does it again, with growing pauses, for as long as the store's issue is one that passes. Rejects when the signal aborts. */
export async function retryTransientErrors<Value>(
  action: () => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await action();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      signal?.throwIfAborted();
      await setTimeout(pauseMs, undefined, signal && { signal });
    }
  }
}
