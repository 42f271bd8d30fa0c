import type { AiCoreAnswer, CallOptions } from './call-ai-core.ts';
import type { AiCoreConnection } from './connection.ts';
import { createCircuitBreaker } from '../resilience/circuit-breaker.ts';
import { callWithRetries } from '../resilience/retry.ts';
import { maxRetryAfterMs } from '../resilience/retry-after.ts';
import type { AiCoreWay } from '../allowances.ts';

/**
 * Makes the calls of one configuration: with retries, through the gate of its resource group, and no more
 * once AI Core has shown that it refuses them all. Throws SearchFailure, or the signal's reason.
 */
export type AiCoreCaller = (
  attempt: (options: CallOptions) => Promise<AiCoreAnswer>,
  asked: AskedCall,
) => Promise<AiCoreAnswer>;

export interface AskedCall extends Pick<CallOptions, 'signal' | 'secrets' | 'onSend'> {
  /** How long an attempt may take, where it is not as long as any, and how long after the first one may start. */
  readonly limits?: { readonly timeoutMs: number; readonly totalMs: number } | undefined;
}

export function createAiCoreCaller(
  connection: AiCoreConnection,
  { destination, resourceGroup }: AiCoreWay,
  words: Pick<CallOptions, 'advise' | 'timeoutSetting'> = {},
): AiCoreCaller {
  const { access, clock, timeoutMs, attempts } = connection;
  const gate = connection.findGate({ destination, resourceGroup });
  const stop = createCircuitBreaker();
  const usual = { timeoutMs, totalMs: attempts * timeoutMs + maxRetryAfterMs };
  const fixed = { access, clock, destination, resourceGroup, gate, ...words };
  return (attempt, { limits = usual, ...asked }) => {
    const { pausedUntil } = gate;
    const { timeoutMs: attemptMs, totalMs } = limits;
    const retries = { attempts, totalMs, pausedUntil, stop, clock, signal: asked.signal };
    return callWithRetries(() => attempt({ ...fixed, ...asked, timeoutMs: attemptMs }), retries);
  };
}
