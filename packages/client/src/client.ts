import createClient, { type Client } from 'openapi-fetch';

import type { components, paths } from './openapi.ts';
import { ServiceError } from './service-error.ts';
import { createTokenOfServiceKey, type ServiceKey } from './service-key-token.ts';

export type Evaluation = components['schemas']['Evaluation'];

export interface ClientOptions {
  /** Of the service, such as `https://grounding-eval.example.com`. */
  readonly url: string;
  /** A bearer token, or a function that is called for one before each request. */
  readonly token?: string | (() => string | Promise<string>);
  /** Gets and renews tokens by client credentials. Not together with `token`. */
  readonly serviceKey?: ServiceKey | { readonly credentials: ServiceKey };
  readonly fetch?: typeof fetch;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Between two requests; default: 1000. */
  readonly pauseMs?: number;
  readonly onProgress?: (progress: Evaluation['progress']) => void;
}

export interface GroundingEvalClient extends Client<paths> {
  /**
   * Waits until an evaluation has ended, which includes that it failed: see `status` and `gate`. Throws
   * `ServiceError` when the service refuses, and the signal's reason when that aborts.
   */
  readonly waitForEnd: (id: string, options?: WaitOptions) => Promise<Evaluation>;
}

/** A client of the service, with types for each operation of its OpenAPI document. */
export function createGroundingEvalClient(options: ClientOptions): GroundingEvalClient {
  const { url, fetch: fetchAny = fetch } = options;
  const client = createClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    headers: { accept: 'application/json' },
    fetch: (request) => fetchAny(request),
  });
  const getToken = findToken(options, fetchAny);
  if (getToken) {
    client.use({
      async onRequest({ request }) {
        request.headers.set('authorization', `Bearer ${await getToken()}`);
        return request;
      },
    });
  }
  return { ...client, waitForEnd: (id, wait) => waitForEnd(client, id, wait) };
}

function findToken(
  { token, serviceKey }: ClientOptions,
  fetchToken: typeof fetch,
): (() => string | Promise<string>) | undefined {
  if (token !== undefined && serviceKey !== undefined) {
    throw new TypeError('Give a token or a serviceKey, not both');
  }
  if (serviceKey !== undefined) return createTokenOfServiceKey(serviceKey, fetchToken);
  return typeof token === 'string' ? () => token : token;
}

async function waitForEnd(
  client: Client<paths>,
  id: string,
  { signal, pauseMs = 1000, onProgress }: WaitOptions = {},
): Promise<Evaluation> {
  for (;;) {
    const { data, error, response } = await client.GET('/v1/eval/{id}', {
      params: { path: { id } },
      ...(signal && { signal }),
    });
    if (data === undefined) {
      const problem = 'detail' in error ? error : undefined;
      throw new ServiceError(
        response.status,
        problem?.detail ?? `HTTP ${response.status}`,
        problem,
      );
    }
    onProgress?.(data.progress);
    if (data.finishedAt !== null) return data;
    await pause(pauseMs, signal);
  }
}

/** Without `node:timers`, so that the client runs in browsers too. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}
