import type { AiCoreAnswer, CallOptions } from './call-ai-core.ts';
import type { AiCoreConnection, AiCoreWay } from './connection.ts';
import type { AdviseOnStatus } from './explain-failure.ts';
import { createRefusalStop } from './resilience/refusal-stop.ts';
import { callWithRetries } from './resilience/retry.ts';
import { longestRetryAfterMs } from './resilience/retry-after.ts';

/**
 * Makes the calls of one configuration: with retries, through the gate of its resource group, and no more
 * once AI Core has shown that it refuses them all. Throws AiCoreFailure, or the signal's reason.
 */
export type AiCoreCaller = (
  attempt: (options: CallOptions) => Promise<AiCoreAnswer>,
  asked: AskedCall,
) => Promise<AiCoreAnswer>;

export type AskedCall = Pick<CallOptions, 'signal' | 'secrets' | 'onSend'>;

export function createAiCoreCaller(
  connection: AiCoreConnection,
  { destination, resourceGroup }: AiCoreWay,
  advise?: AdviseOnStatus,
): AiCoreCaller {
  const { access, clock, timeoutMs, attempts } = connection;
  const gate = connection.findGate({ destination, resourceGroup });
  const stop = createRefusalStop();
  const totalMs = attempts * timeoutMs + longestRetryAfterMs;
  const fixed = { access, clock, timeoutMs, destination, resourceGroup, gate, advise };
  return (attempt, asked) => {
    const { pausedUntil } = gate;
    const retries = { attempts, totalMs, pausedUntil, stop, clock, signal: asked.signal };
    return callWithRetries(() => attempt({ ...fixed, ...asked }), retries);
  };
}
