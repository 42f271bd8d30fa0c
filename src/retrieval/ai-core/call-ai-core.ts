import type { OpenApiRequestBuilder } from '@sap-ai-sdk/core';
import type { HttpDestination } from '@sap-cloud-sdk/connectivity';
import type { HttpMiddleware } from '@sap-cloud-sdk/http-client';

import { answerBytes } from '../outgoing-limits.ts';
import { inSpan } from '../in-span.ts';
import { assertClaimHeld } from '../claim.ts';
import type { AiCoreAccess } from './access.ts';
import { SearchFailure } from '../search-failure.ts';
import { type AdviseOnStatus, explainFailure, type SearchAddress } from './explain-failure.ts';
import type { Clock } from '../resilience/clock.ts';
import type { ConcurrencyLimiter, Place } from '../resilience/concurrency-limiter.ts';
import { untilAborted } from './until-aborted.ts';

export interface CallOptions {
  readonly access: AiCoreAccess;
  readonly clock: Clock;
  readonly destination: string | undefined;
  readonly resourceGroup: string;
  /** Of the resource group; undefined: the call waits for none. */
  readonly gate?: ConcurrencyLimiter | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Texts that no message may repeat. */
  readonly secrets: readonly string[];
  /** Told of every request that is sent. */
  readonly onSend?: (() => void) | undefined;
  /** Advice for a call that is refused with a status; undefined: as for any search. */
  readonly advise?: AdviseOnStatus | undefined;
  /** What says how long the call may take; SEARCH_TIMEOUT_MS unless given. */
  readonly timeoutSetting?: string | undefined;
}

/** Sends one request by the SDK, with the middleware around its HTTP request. */
export type Send = (
  destination: HttpDestination,
  middleware: HttpMiddleware,
) => Promise<{ readonly data: unknown; readonly headers: unknown }>;

export interface AiCoreAnswer {
  readonly body: unknown;
  readonly headers: unknown;
  readonly latencyMs: number;
  /** For the words about what the body turns out to be. */
  readonly address: SearchAddress;
}

/**
 * Sends one request. A token that is refused is dropped, and the request is sent once more with a new one. Throws
 * SearchFailure, or the signal's reason when it aborts.
 */
export async function callAiCore(send: Send, options: CallOptions): Promise<AiCoreAnswer> {
  try {
    return await sendOnce(send, options);
  } catch (error) {
    const isRefusedToken =
      error instanceof SearchFailure && error.kind === 'status' && error.status === 401;
    if (!isRefusedToken) throw error;
    return sendOnce(send, options);
  }
}

/** Sends what a generated client of the SDK builds; it is built again for each attempt. */
export function sendRequest(createRequest: () => OpenApiRequestBuilder<unknown>): Send {
  return (destination, middleware) =>
    createRequest().middleware(middleware).executeRaw(destination);
}

async function sendOnce(send: Send, options: CallOptions): Promise<AiCoreAnswer> {
  const { access, clock, signal, gate } = options;
  const destination = await untilAborted(access.resolve(options), signal);
  const address = toAddress(destination, options);
  const passage = createPassage(options);
  try {
    const { data, headers } = await send(destination, passage.middleware);
    return { body: data, headers, latencyMs: passage.release('answered'), address };
  } catch (error) {
    const failure = explainFailure(error, { ...address, now: clock.now() });
    if (failure.retryAfterMs !== undefined) gate?.pauseUntil(clock.now() + failure.retryAfterMs);
    passage.release(failure.isOverload ? 'overloaded' : 'failed');
    signal.throwIfAborted();
    if (failure.status === 401) access.drop(options.destination, destination);
    throw failure;
  }
}

interface Passage {
  readonly middleware: HttpMiddleware;
  /** Gives the place in the gate back, and says how many milliseconds it was held. */
  readonly release: (outcome: Parameters<Place['release']>[0]) => number;
}

/**
 * A way through the gate around the HTTP request alone: what the SDK does before it and what is read after
 * it hold no place, so that the group is kept as busy as it may be.
 */
function createPassage({ gate, signal, timeoutMs, onSend }: CallOptions): Passage {
  let place: Place | undefined;
  let start: number | undefined;
  return {
    middleware:
      ({ fn }) =>
      async (request) => {
        place = await gate?.acquire(signal);
        await assertClaimHeld();
        onSend?.();
        start = performance.now();
        const timeout = AbortSignal.timeout(timeoutMs);
        const bounded = {
          ...request,
          signal: AbortSignal.any([signal, timeout]),
          maxRedirects: 0,
          maxContentLength: answerBytes.search,
        };
        return inSpan('call of AI Core', { attributes: {}, isCall: true }, async (span) => {
          const response = await fn(bounded);
          span.setAttribute('http.response.status_code', response.status);
          return response;
        });
      },
    release(outcome) {
      place?.release(outcome);
      return start === undefined ? 0 : performance.now() - start;
    },
  };
}

function toAddress(
  { url, authTokens }: HttpDestination,
  { resourceGroup, timeoutMs, secrets, clock, advise, timeoutSetting }: CallOptions,
): SearchAddress {
  const tokens = (authTokens ?? []).map(({ value }) => value);
  const now = clock.now();
  const hidden = [...secrets, ...tokens];
  return { url, resourceGroup, timeoutMs, secrets: hidden, now, advise, timeoutSetting };
}
