import { systemClock, type Clock } from '../../resilience/clock.ts';
import {
  createConcurrencyLimiter,
  type ConcurrencyLimiter,
} from '../../resilience/concurrency-limiter.ts';
import type { HttpEndpoints, HttpSearchOptions } from '../../http-endpoints.ts';

/** The endpoints as this process uses them: one gate for all that search one of them. */
export interface HttpConnection {
  readonly endpoints: HttpEndpoints;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly findGate: (endpoint: string) => ConcurrencyLimiter;
}

const noEndpoints: HttpSearchOptions = {
  endpoints: new Map(),
  concurrency: 1,
  timeoutMs: 1,
  attempts: 1,
};

export function createHttpConnection({
  concurrency,
  clock = systemClock,
  ...options
}: HttpSearchOptions = noEndpoints): HttpConnection {
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
