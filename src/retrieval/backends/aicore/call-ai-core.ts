import type { OpenApiRequestBuilder } from '@sap-ai-sdk/core';
import type { HttpDestination } from '@sap-cloud-sdk/connectivity';

import type { AiCoreAccess } from './access.ts';
import { AiCoreFailure } from './ai-core-failure.ts';
import { explainFailure, type SearchAddress } from './explain-failure.ts';
import type { Clock } from './resilience/clock.ts';

export interface CallOptions {
  readonly access: AiCoreAccess;
  readonly clock: Clock;
  readonly destination: string | undefined;
  readonly resourceGroup: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Texts that no message may repeat. */
  readonly secrets: readonly string[];
  /** Told of every request that is sent. */
  readonly onSend?: (() => void) | undefined;
}

export interface AiCoreAnswer {
  readonly body: unknown;
  readonly headers: unknown;
  readonly latencyMs: number;
  /** For the words about what the body turns out to be. */
  readonly address: SearchAddress;
}

/**
 * Sends one request. A token that is refused is dropped, and the request sent once more with another. Throws
 * AiCoreFailure, or the signal's reason when it aborts.
 */
export async function callAiCore(
  createRequest: () => OpenApiRequestBuilder<unknown>,
  options: CallOptions,
): Promise<AiCoreAnswer> {
  try {
    return await sendOnce(createRequest(), options);
  } catch (error) {
    const isRefusedToken =
      error instanceof AiCoreFailure && error.kind === 'status' && error.status === 401;
    if (!isRefusedToken) throw error;
    return sendOnce(createRequest(), options);
  }
}

async function sendOnce(
  request: OpenApiRequestBuilder<unknown>,
  options: CallOptions,
): Promise<AiCoreAnswer> {
  const { access, clock, signal, timeoutMs, onSend } = options;
  const destination = await untilAborted(access.resolve(options.destination), signal);
  const address = toAddress(destination, options);
  const timeout = AbortSignal.timeout(timeoutMs);
  request.addCustomRequestConfiguration({ signal: AbortSignal.any([signal, timeout]) });
  const start = performance.now();
  onSend?.();
  try {
    const { data, headers } = await request.executeRaw(destination);
    return { body: data, headers, latencyMs: performance.now() - start, address };
  } catch (error) {
    signal.throwIfAborted();
    const failure = explainFailure(error, { ...address, now: clock.now() });
    if (failure.status === 401) access.drop(options.destination, destination);
    throw failure;
  }
}

function toAddress(
  { url, authTokens }: HttpDestination,
  { resourceGroup, timeoutMs, secrets, clock }: CallOptions,
): SearchAddress {
  const tokens = (authTokens ?? []).map(({ value }) => value);
  return { url, resourceGroup, timeoutMs, secrets: [...secrets, ...tokens], now: clock.now() };
}

/** What is shared with other searches goes on; this one stops waiting for it. */
async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
