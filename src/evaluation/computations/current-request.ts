import { AsyncLocalStorage } from 'node:async_hooks';

import { createComputations, defaultComputationLimits, type Computations } from './computations.ts';

/** The request that the present work is done for. */
export interface ComputingRequest {
  readonly computations: Computations;
  readonly tenant: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal | undefined;
}

interface PresentWork extends ComputingRequest {
  readonly hasTurn: boolean;
  readonly admission: { isAdmitted: boolean };
}

const current = new AsyncLocalStorage<PresentWork>();

/** Work of evaluations, which belongs to no request: it waits, and is never refused. */
const background: PresentWork = {
  computations: createComputations({ ...defaultComputationLimits(), maxWaiting: Infinity }),
  tenant: '',
  signal: undefined,
  hasTurn: false,
  admission: { isAdmitted: true },
};

/** Computations over at most this many rankings take a few milliseconds and do not wait. */
const fewRankings = 1000;

/** Has everything that `work` starts done for a request. */
export function computeFor<Value>(request: ComputingRequest, work: () => Value): Value {
  return current.run({ ...request, hasTurn: false, admission: { isAdmitted: false } }, work);
}

/**
 * Runs a large computation in its turn; within another one, or with few rankings, it runs at once. A request
 * that had a turn is not refused another.
 */
export async function inTurn<Value>(
  work: () => Promise<Value>,
  rankings = Infinity,
): Promise<Value> {
  const present = current.getStore() ?? background;
  if (present.hasTurn || rankings <= fewRankings) return work();
  const { computations, tenant, signal, admission } = present;
  const owner = { tenant, signal, isAdmitted: admission.isAdmitted };
  return computations.run(owner, () => {
    admission.isAdmitted = true;
    return current.run({ ...present, hasTurn: true }, work);
  });
}

/** Aborts when the present work is not needed any more; undefined: it belongs to no request. */
export function currentSignal(): AbortSignal | undefined {
  return current.getStore()?.signal;
}

/** Has `work` aborted by this signal in place of that of the request. */
export function withSignal<Value>(signal: AbortSignal, work: () => Value): Value {
  return current.run({ ...(current.getStore() ?? background), signal }, work);
}
