import { systemClock, type Clock } from '../../ai-core/resilience/clock.ts';
import {
  createConcurrencyLimiter,
  type ConcurrencyLimiter,
} from '../../ai-core/resilience/concurrency-limiter.ts';
import type { HttpEndpoints } from './endpoints.ts';

export interface HttpSearchOptions {
  readonly endpoints: HttpEndpoints;
  /** The most requests to one endpoint under way at once. */
  readonly concurrency: number;
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly clock?: Clock | undefined;
}

/** The endpoints as this process uses them: one gate for all that search one of them. */
export interface HttpConnection {
  readonly endpoints: HttpEndpoints;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly findGate: (endpoint: string) => ConcurrencyLimiter;
}

export function createHttpConnection({
  concurrency,
  clock = systemClock,
  ...options
}: HttpSearchOptions): HttpConnection {
  const gates = new Map<string, ConcurrencyLimiter>();
  return {
    ...options,
    clock,
    findGate(endpoint) {
      const gate = gates.get(endpoint) ?? createConcurrencyLimiter(concurrency, clock);
      gates.set(endpoint, gate);
      return gate;
    },
  };
}
