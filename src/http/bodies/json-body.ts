import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'secure-json-parse';

import { InvalidInputError } from '../../errors.ts';

/** Nothing that the service reads is nested deeper; what is would exhaust the stack of those who walk it. */
const maxDepth = 32;

/** More keys than any object here has; larger runs come as TREC text. */
const maxKeys = 250_000;

/** Reads JSON bodies strictly: valid UTF-8, no keys that reach prototypes, a bounded depth. An empty body is none. */
export function setJsonParser(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) =>
      body.length === 0 ? undefined : parseJson(decodeUtf8(body), {}),
  );
}

/**
 * Parses text that a client sent. An error says where it is wrong and never repeats the text, which may
 * hold somebody's question.
 */
export function parseJson(
  text: string,
  { line, pointer = '/body' }: { readonly line?: number; readonly pointer?: string },
): unknown {
  const fail = (detail: string, cause?: unknown) => {
    const error = { pointer, ...(line !== undefined && { line }), detail };
    const where = line === undefined ? 'The body' : `Line ${line}`;
    return new InvalidInputError(`${where} ${detail}`, [error], cause);
  };
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw fail(explain(cause), cause);
  }
  if (isDeeperThan(value, maxDepth)) throw fail(`is nested deeper than ${maxDepth} levels`);
  if (hasWideObject(value, maxDepth)) throw fail(`has an object with more than ${maxKeys} keys`);
  return value;
}

/** One for all: making one takes longer than a line takes to decode. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws when the bytes are not UTF-8: replacing them would change what was sent. */
export function decodeUtf8(bytes: Uint8Array, line?: number): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    const detail = 'is not valid UTF-8';
    const error = { pointer: '/body', ...(line !== undefined && { line }), detail };
    throw new InvalidInputError(`The body ${detail}`, [error], cause);
  }
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('forbidden prototype property')) {
    return 'has a forbidden key: "__proto__", or "constructor" with a "prototype" in it';
  }
  const [position] = /at position \d+(?: \(line \d+ column \d+\))?/.exec(message) ?? [];
  return position === undefined ? 'is not valid JSON' : `is not valid JSON ${position}`;
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

function hasWideObject(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  const inner = Object.values(value) as unknown[];
  if (!Array.isArray(value) && inner.length > maxKeys) return true;
  return inner.some((one) => hasWideObject(one, depth - 1));
}
