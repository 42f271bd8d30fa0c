import type { Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';

import { maxInputErrors, AppError, InvalidInputError, type InputError } from '../../errors.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { decodeUtf8, parseJson } from './json-body.ts';
import { toInputErrors } from './validation-issues.ts';

/** Longest line that is read: longer ones are no entry of any format here. */
const maxLineBytes = 4 * 1024 * 1024;

const newline = 0x0a;

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** Hands bodies of lines to their routes as streams. */
export function setLineParsers(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser(
    ['application/x-ndjson', 'text/plain', 'text/csv', 'text/tab-separated-values'],
    async (_request: FastifyRequest, payload: Readable) => payload,
  );
}

/** Reads a body as it arrives. It is refused as soon as it is larger than `maxBytes`. */
export async function* readChunks(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  // A fast client fills the socket again at once: without pauses nobody else would have a turn.
  const yieldToEventLoop = createYieldToEventLoop();
  // The connection must outlive a refusal, or the answer would not arrive.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(`The body is larger than ${maxBytes} bytes`);
    yield chunk;
    await yieldToEventLoop();
  }
}

/** Reads a body line by line as it arrives. It is refused as soon as it is larger than `maxBytes`. */
export async function* readLines(body: Readable, maxBytes: number): AsyncGenerator<Line> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let number = 0;
  const take = (end: Buffer): Line => {
    const bytes = pending.length === 0 ? end : Buffer.concat([...pending, end]);
    pending = [];
    pendingBytes = 0;
    number += 1;
    return { text: decodeUtf8(bytes, number), number };
  };
  for await (const chunk of readChunks(body, maxBytes)) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      yield take(chunk.subarray(start, end));
      start = end + 1;
    }
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > maxLineBytes) {
      throw tooLarge(`Line ${number + 1} is longer than ${maxLineBytes} bytes`);
    }
  }
  if (pendingBytes > 0) yield take(Buffer.alloc(0));
}

export interface Entry<Value> {
  readonly value: Value;
  readonly line: number;
}

/**
 * Reads every line of ndjson with a schema; blank lines are passed over. Throws one error that names all
 * lines at fault, by line and by the pointer that the same entry would have in `collection` of a JSON body.
 */
export async function* readJsonLines<Schema extends z.ZodType>(
  lines: AsyncIterable<Line>,
  schema: Schema,
  collection: string,
): AsyncGenerator<Entry<z.output<Schema>>> {
  const errors: InputError[] = [];
  let index = 0;
  for await (const { text, number } of lines) {
    if (text.trim() === '') continue;
    const pointer = `/body/${collection}/${index}`;
    const value = parseJson(text, { line: number, pointer });
    const parsed = schema.safeParse(value);
    if (parsed.success) yield { value: parsed.data, line: number };
    else {
      const found = parsed.error.issues
        .slice(0, maxInputErrors)
        .flatMap((issue) => toInputErrors(issue, pointer));
      const some = found.slice(0, maxInputErrors - errors.length);
      errors.push(...some.map((error) => ({ ...error, line: number })));
    }
    if (errors.length >= maxInputErrors) break;
    index += 1;
  }
  refuse(errors);
  if (index === 0) refuse([{ pointer: `/body/${collection}`, detail: 'must not be empty' }]);
}

/** Throws when there are places at fault. */
export function refuse(errors: readonly InputError[]): void {
  const [first] = errors;
  if (!first) return;
  const where = first.line === undefined ? first.pointer : `line ${first.line}, ${first.pointer}`;
  throw new InvalidInputError(`The body was rejected: ${where} ${first.detail}`, errors);
}

function tooLarge(message: string): AppError {
  return new AppError('body-too-large', message);
}
