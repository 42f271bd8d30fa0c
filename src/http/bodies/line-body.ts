import type { Readable } from 'node:stream';

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';

import { maxInputErrors, AppError, InvalidInputError, type InputError } from '../../errors.ts';
import { decodeText } from '../../interchange/decode-text.ts';
import { LineTooLongError, splitLines, type Line } from '../../interchange/split-lines.ts';
import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { parseJson } from './json-body.ts';
import { toInputErrors } from './validation-issues.ts';

/** The media types of bodies that are read as they arrive. */
const lineTypes = [
  'application/x-ndjson',
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
] as const;

/** Hands bodies of lines to their routes as streams. */
export function setLineParsers(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser(
    [...lineTypes, 'application/octet-stream'],
    async (_request: FastifyRequest, payload: Readable) => payload,
  );
}

/** Reads a body as it arrives. It is refused as soon as it is larger than `maxBytes`. */
async function* readChunks(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  // A fast client fills the socket again at once: without pauses other requests would wait.
  const yieldToEventLoop = createYieldToEventLoop();
  // The connection must outlive a refusal, or the answer would not arrive.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(`The body is larger than ${maxBytes} bytes`);
    yield chunk;
    await yieldToEventLoop();
  }
}

/** Reads a body as text, in the encoding that its byte order mark or `encoding` names. */
export async function* readTexts(
  body: Readable,
  maxBytes: number,
  encoding?: string,
): AsyncGenerator<string> {
  try {
    yield* decodeText(readChunks(body, maxBytes), encoding);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Reads a body line by line as it arrives. It is refused as soon as it is larger than `maxBytes`. */
export async function* readLines(body: Readable, maxBytes: number): AsyncGenerator<Line> {
  try {
    yield* splitLines(readTexts(body, maxBytes));
  } catch (error) {
    throw toAppError(error);
  }
}

/** What the text of a body is refused for, as the answer. */
function toAppError(error: unknown): unknown {
  if (!(error instanceof InterchangeError)) return error;
  const { line, reason: detail } = error;
  const where = line === undefined ? 'The body' : `Line ${line}`;
  if (error instanceof LineTooLongError) return tooLarge(`${where} ${detail}`);
  const place = { pointer: '/body', ...(line !== undefined && { line }), detail };
  return new InvalidInputError(`${where} ${detail}`, [place], error);
}

export interface Entry<Value> {
  readonly value: Value;
  /** Absent in JSON. */
  readonly line?: number;
}

/**
 * Reads every line of ndjson with a schema; blank lines are passed over. Throws one error that names all
 * wrong lines, by line and by the pointer that the same entry would have in `collection` of a JSON body.
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

/** Throws if there are errors. */
export function refuse(errors: readonly InputError[]): void {
  const [first] = errors;
  if (!first) return;
  const where = first.line === undefined ? first.pointer : `line ${first.line}, ${first.pointer}`;
  throw new InvalidInputError(`The body was rejected: ${where} ${first.detail}`, errors);
}

function tooLarge(message: string): AppError {
  return new AppError('body-too-large', message);
}
