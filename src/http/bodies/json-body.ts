import type { FastifyInstance, FastifyRequest } from 'fastify';

import { InvalidInputError } from '../../errors.ts';
import { JsonError, parseStrictJson } from '../../interchange/strict-json.ts';

/** Reads JSON bodies strictly: valid UTF-8, no key twice, no keys that reach prototypes, a bounded depth. An empty body is none. */
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
 * hold a user's question. In lines of JSON `line` is the number of the line.
 */
export function parseJson(
  text: string,
  { line, pointer = '/body' }: { readonly line?: number; readonly pointer?: string },
): unknown {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const detail = line === undefined ? error.reason : error.reason.replace('line 1, ', '');
    const place = line ?? error.line;
    const found = { pointer, ...(place !== undefined && { line: place }), detail };
    const where = line === undefined ? 'The body' : `Line ${line}`;
    throw new InvalidInputError(`${where} ${detail}`, [found], error);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws when the bytes are not UTF-8: replacing them would change what was sent. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    const detail = 'is not valid UTF-8';
    throw new InvalidInputError(`The body ${detail}`, [{ pointer: '/body', detail }], cause);
  }
}
