/** How work on an evaluation is stopped. */
export interface WorkControl {
  /** Cuts off the searches under way. */
  readonly abort: AbortSignal;
  /** Lets the searches under way end, and starts no more. */
  readonly drain: AbortSignal;
  /** Waited for before each search, and again before each call that it sends. */
  readonly permit?: (() => Promise<void>) | undefined;
}
