/** The two steps in which work is stopped. */
export interface StopSwitch {
  /** No more work is begun. */
  readonly drain: AbortSignal;
  /** What is under way is cut off. */
  readonly abort: AbortSignal;
  readonly isStopping: () => boolean;
  /** Drains now and aborts after a while, unless `end` comes first, and waits for `end`. */
  readonly stop: (end: Promise<unknown>, drainMs: number) => Promise<void>;
}

export function createStopSwitch(): StopSwitch {
  const drain = new AbortController();
  const abort = new AbortController();
  return {
    drain: drain.signal,
    abort: abort.signal,
    isStopping: () => drain.signal.aborted,
    async stop(end, drainMs) {
      const reason = new Error('The service is stopping');
      drain.abort(reason);
      const timer = setTimeout(() => abort.abort(reason), drainMs);
      await end;
      clearTimeout(timer);
    },
  };
}
