import { Readable } from 'node:stream';

import type { z } from 'zod';

import { AppError, type InputError } from '../errors.ts';
import type { LineOptions } from '../ir/trec/columns.ts';
import { TrecLineError } from '../ir/trec/trec-line-error.ts';
import { refuse, type Entry, type Line } from './line-body.ts';
import { toInputErrors } from './validation-issues.ts';

/** Places that one answer names at most. */
const maxErrors = 100;

interface LineFormat<Value> {
  readonly parse: (line: string, options: LineOptions) => Value | undefined;
  /** The bounds that hold however an entry arrives. */
  readonly schema: z.ZodType<Value>;
}

/** Reads TREC text line by line. Throws one error that names all lines at fault, or that there is none. */
export async function* readTrecLines<Value>(
  lines: AsyncIterable<Line>,
  format: LineFormat<Value>,
): AsyncGenerator<Entry<Value>> {
  const errors: InputError[] = [];
  let entries = 0;
  for await (const line of lines) {
    const read = readLine(line, format);
    if (Array.isArray(read)) errors.push(...read);
    else if (read) {
      entries += 1;
      yield read;
    }
    if (errors.length >= maxErrors) break;
  }
  refuse(errors);
  if (entries === 0) refuse([{ pointer: '/body', detail: 'holds no entry' }]);
}

function readLine<Value>(
  { text, number }: Line,
  { parse, schema }: LineFormat<Value>,
): Entry<Value> | InputError[] | undefined {
  try {
    const value = parse(text, { stripBom: number === 1 });
    if (value === undefined) return undefined;
    const checked = schema.safeParse(value);
    if (checked.success) return { value, line: number };
    const found = checked.error.issues.flatMap((issue) => toInputErrors(issue, '/body'));
    return found.map((error) => ({ ...error, line: number }));
  } catch (error) {
    if (!(error instanceof TrecLineError)) throw error;
    return [{ pointer: '/body', line: number, detail: error.message }];
  }
}

/**
 * Writes TREC text as a stream. Every line is made once before the first is sent, because an id that the
 * format cannot hold must be an answer with a reason, not a file that breaks off.
 */
export async function writeTrec(produce: () => AsyncIterable<string>): Promise<Readable> {
  try {
    const lines = produce()[Symbol.asyncIterator]();
    while ((await lines.next()).done !== true);
  } catch (error) {
    if (!(error instanceof TrecLineError)) throw error;
    const message = `This cannot be written as TREC text: ${error.message}. It can be had as JSON`;
    throw new AppError('not-acceptable', message, { cause: error });
  }
  return Readable.from(produce());
}
