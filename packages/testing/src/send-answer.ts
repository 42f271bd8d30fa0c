import type { ServerResponse } from 'node:http';

import type { StubAnswer } from './stub-answer.ts';

/** Writes an answer. Text that starts with `<` is HTML, other text plain; an object is JSON. */
export function sendAnswer(response: ServerResponse, answer: StubAnswer): void {
  const content = writeBody(answer);
  response.writeHead(answer.status, writeHeaders(answer, content)).end(content);
}

/** Announces the whole answer, sends half of it and ends the connection. */
export function sendHalf(response: ServerResponse, answer: StubAnswer): void {
  const content = writeBody(answer);
  response.writeHead(answer.status, writeHeaders(answer, content));
  const half = content.subarray(0, Math.floor(content.length / 2));
  response.write(half, () => response.destroy());
}

function writeBody({ body = '' }: StubAnswer): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function writeHeaders({ body, headers }: StubAnswer, content: Buffer): Record<string, string> {
  const length = { 'content-length': String(content.length) };
  return body === undefined
    ? { ...length, ...headers }
    : { ...length, 'content-type': chooseMediaType(body), ...headers };
}

function chooseMediaType(body: string | object): string {
  if (typeof body === 'object') return 'application/json';
  return body.startsWith('<') ? 'text/html' : 'text/plain';
}
