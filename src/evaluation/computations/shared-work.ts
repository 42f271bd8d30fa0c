import { currentSignal, withSignal } from './current-request.ts';

/** Work that several requests wait for. */
export interface SharedWork<Value> {
  /** Waits for the value, or rejects when the client of the current request disconnects. */
  readonly join: () => Promise<Value>;
  /** Whether all waiting clients disconnected, so that the work was aborted. */
  readonly isAbandoned: () => boolean;
}

/** Starts work that runs until it is done or all clients that joined it have disconnected. */
export function shareWork<Value>(work: () => Promise<Value>): SharedWork<Value> {
  const abandoned = new AbortController();
  const value = withSignal(abandoned.signal, work);
  let waiting = 0;

  function leave(reason: unknown): void {
    waiting -= 1;
    if (waiting === 0) abandoned.abort(reason);
  }

  return {
    async join() {
      const signal = currentSignal();
      waiting += 1;
      if (!signal) return value;
      const gone = Promise.withResolvers<never>();
      const onAbort = () => {
        leave(signal.reason);
        gone.reject(signal.reason);
      };
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await Promise.race([value, gone.promise]);
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    isAbandoned: () => abandoned.signal.aborted,
  };
}
