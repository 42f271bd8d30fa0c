import type { AssertClaimHeld } from '../../retrieval/claim.ts';

/** How work on an evaluation is stopped. */
export interface WorkControl {
  /** Cuts off the searches under way. */
  readonly abort: AbortSignal;
  /** Lets the searches under way end, and starts no more. */
  readonly drain: AbortSignal;
  /** Called before each search, and again before each request that it sends. Default: the claim cannot be lost. */
  readonly assertClaimHeld?: AssertClaimHeld | undefined;
}
