import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { text } from 'node:stream/consumers';

import { DeliveryError } from './delivery-error.ts';

export interface OutgoingRequest {
  readonly method: 'POST' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Turns the host's name into the addresses that are connected to; the system's when absent. */
  readonly lookup?: LookupFunction | undefined;
}

export interface OutgoingAnswer {
  readonly status: number;
  readonly body: string;
}

const timeoutMs = 15_000;
const maxAnswerBytes = 256 * 1024;

/**
 * Sends one request on a connection of its own and returns the answer, whatever its status. Follows no
 * redirect. Rejects with a DeliveryError when none came within 15 s.
 */
export async function sendText(outgoing: OutgoingRequest): Promise<OutgoingAnswer> {
  const signal = AbortSignal.any([outgoing.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const answer = await send(outgoing, signal);
    return { status: answer.statusCode ?? 0, body: await readBounded(answer) };
  } catch (cause) {
    if (cause instanceof DeliveryError) throw cause;
    throw new DeliveryError(explain(cause, signal), { cause });
  }
}

/** As `sendText`, for what must be answered with a 2xx. */
export async function sendExpectingSuccess(outgoing: OutgoingRequest): Promise<OutgoingAnswer> {
  const answer = await sendText(outgoing);
  const failure = toFailure(answer.status);
  if (failure) throw failure;
  return answer;
}

/** What a status says went wrong; undefined for a 2xx. */
export function toFailure(status: number): DeliveryError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect ? '; redirects are not followed' : '';
  return new DeliveryError(`The receiver responded with ${status}${reason}`, {
    isFinal: status === 410,
  });
}

function send(
  { method, url, headers, body, lookup }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const options = { method, headers: { ...headers, ...length }, agent: false, signal, lookup };
    request(url, options, resolve).on('error', reject).end(body);
  });
}

async function readBounded(answer: IncomingMessage): Promise<string> {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) answer.destroy(new DeliveryError('The response is too long'));
  });
  return text(answer);
}

function explain(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The receiver did not respond in time';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `The receiver could not be reached${code}`;
}
