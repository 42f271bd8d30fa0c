import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import { endLingering } from './answers/lingering-answer.ts';

/** What a body may have where a route does not say otherwise. Those that take whole sets do. */
export const defaultBodyBytes = 1024 * 1024;

/** What a connection may cost. None of it bounds how long an answer takes, which may be a stream. */
export const connectionLimits = {
  // Load balancers keep connections for up to 90 s; one that closes first would cut a request off.
  keepAliveTimeout: 95_000,
  // An upload that stands still, or comes a byte at a time, must not hold its connection for ever.
  requestTimeout: 300_000,
  http: {
    // Nobody needs longer for the few lines before a body, except to hold connections.
    headersTimeout: 15_000,
    connectionsCheckingInterval: 5000,
    maxHeaderSize: 16_384,
  },
  clientErrorHandler: answerBrokenRequest,
} as const;

const statusByCause: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

const answered = new WeakSet<Socket>();

/** Answers what never became a request: too slow, too large, or no HTTP. Reads on for a moment, so that the answer arrives. */
function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || answered.has(socket)) return;
  answered.add(socket);
  const status = statusByCause[error.code ?? ''] ?? 400;
  const title = STATUS_CODES[status];
  const problem = {
    type: `urn:problem:grounding-eval:${status === 408 ? 'request-timeout' : 'invalid-input'}`,
    title,
    status,
    detail: details[status],
    instance: 'urn:request:unread',
  };
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  if (!socket.writable) return void socket.destroy();
  endLingering(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

const details: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP',
  408: 'The request did not arrive in time',
  431: 'The request headers are too large',
};
