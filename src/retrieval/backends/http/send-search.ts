import { tryParseJson } from '../../../try-parse-json.ts';
import { inSpan } from '../../in-span.ts';
import { answerBytes } from '../../outgoing-limits.ts';
import { assertClaimHeld } from '../../claim.ts';
import { SearchFailure } from '../../search-failure.ts';
import type { Clock } from '../../resilience/clock.ts';
import type { ConcurrencyLimiter } from '../../resilience/concurrency-limiter.ts';
import { parseRetryAfter } from '../../resilience/retry-after.ts';
import { nameStatus } from '../../ai-core/http-error.ts';

export interface HttpSearch {
  /** For words about a failure. */
  readonly endpoint: string;
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface SendOptions {
  readonly gate: ConcurrencyLimiter;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onSend: () => void;
}

export interface HttpAnswer {
  readonly body: unknown;
  readonly latencyMs: number;
}

/**
 * Sends one request and reads its answer as JSON. Redirects are not followed, and the answer is bounded in size and time.
 * Throws a failure that names the endpoint and the status, and nothing of what was sent or answered.
 */
export async function sendSearch(search: HttpSearch, options: SendOptions): Promise<HttpAnswer> {
  const { gate, clock, signal, timeoutMs, onSend } = options;
  const place = await gate.acquire(signal);
  let outcome: Parameters<typeof place.release>[0] = 'failed';
  let isSent = false;
  try {
    await assertClaimHeld();
    onSend();
    isSent = true;
    const start = performance.now();
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const text = await inSpan('call of an HTTP search', { attributes: {}, isCall: true }, () =>
      exchange(search, bounded, clock.now()),
    );
    const body = parseAnswer(search, text);
    outcome = 'answered';
    return { body, latencyMs: performance.now() - start };
  } catch (error) {
    signal.throwIfAborted();
    // The right to send it was lost.
    if (!isSent) throw error;
    const failure = toFailure(search, error, timeoutMs);
    if (failure.retryAfterMs !== undefined) gate.pauseUntil(clock.now() + failure.retryAfterMs);
    if (failure.isOverload) outcome = 'overloaded';
    throw failure;
  } finally {
    place.release(outcome);
  }
}

async function exchange(search: HttpSearch, signal: AbortSignal, now: number): Promise<string> {
  const { endpoint, method, url, headers, body } = search;
  const init = { method, headers, signal, redirect: 'manual' } as const;
  const response = await fetch(url, body === undefined ? init : { ...init, body });
  if (response.ok) return readBounded(search, response);
  await response.body?.cancel();
  const { status } = response;
  const isRedirect = status >= 300 && status < 400;
  const advice = isRedirect
    ? 'Redirects are not followed: set the URL of the endpoint to where it leads'
    : adviseOnStatus(status);
  throw new SearchFailure(
    'status',
    `Endpoint '${endpoint}' responded with HTTP ${nameStatus(status)}. ${advice}`,
    { status, retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), now) },
  );
}

async function readBounded({ endpoint }: HttpSearch, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytes.search) {
      const message = `Endpoint '${endpoint}' sent more than ${answerBytes.search} bytes`;
      throw new SearchFailure('answer', message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseAnswer({ endpoint }: HttpSearch, text: string): unknown {
  const answer = tryParseJson(text);
  if (answer !== undefined) return answer;
  throw new SearchFailure(
    'answer',
    `Endpoint '${endpoint}' responded with success, but not with JSON. Check the path: a sign-in page or a proxy may have answered`,
  );
}

function toFailure({ endpoint }: HttpSearch, error: unknown, timeoutMs: number): SearchFailure {
  if (error instanceof SearchFailure) return error;
  if (error instanceof Error && error.name === 'TimeoutError') {
    const message = `Endpoint '${endpoint}' did not respond within ${timeoutMs} ms; SEARCH_TIMEOUT_MS sets how long a search may take`;
    return new SearchFailure('timeout', message, { cause: error });
  }
  const code = findCode(error);
  const message = `Endpoint '${endpoint}' cannot be reached${code === undefined ? '' : ` (${code})`}. Check its URL in HTTP_SEARCH_ENDPOINTS`;
  return new SearchFailure('network', message, { cause: error });
}

function findCode(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

function adviseOnStatus(status: number): string {
  if (status === 401 || status === 403) {
    return 'Check the credentials among the headers of the endpoint in HTTP_SEARCH_ENDPOINTS';
  }
  if (status === 404) return 'Check the path, for example the name of the index';
  if (status === 400 || status === 422) {
    return 'Check the body and the query parameters of the configuration';
  }
  return status === 429 ? 'It has too much to do' : 'It failed';
}
