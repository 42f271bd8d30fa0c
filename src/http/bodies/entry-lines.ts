import type { z } from 'zod';

import { maxInputErrors, type InputError } from '../../errors.ts';
import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import type { LineOptions } from '../../ir/trec/columns.ts';
import { TrecLineError } from '../../ir/trec/trec-line-error.ts';
import type { Line } from '../../interchange/split-lines.ts';
import { refuse, type Entry } from './line-body.ts';
import { toInputErrors } from './validation-issues.ts';

export interface LineFormat<Value> {
  /** Undefined for a line without an entry. `stripBom` is set for the first line. */
  readonly parse: (line: string, options: LineOptions) => Value | undefined;
  /** The bounds that hold however an entry arrives. */
  readonly schema: z.ZodType<Value>;
}

/** What a place of a body holds: an entry, nothing, or issues. */
export type Reading<Value> = Entry<Value> | readonly InputError[] | undefined;

/** Reads a text of one entry a line. Throws one error that lists all wrong lines, or says that there is none. */
export function readEntryLines<Value>(
  lines: AsyncIterable<Line>,
  { parse, schema }: LineFormat<Value>,
): AsyncGenerator<Entry<Value>> {
  async function* readings(): AsyncGenerator<Reading<Value>> {
    for await (const { text, number } of lines) {
      yield readEntry(number, { parse: () => parse(text, { stripBom: number === 1 }), schema });
    }
  }
  return passEntries(readings());
}

/** Reads one entry, which stands in a line. */
function readEntry<Value>(
  line: number,
  { parse, schema }: { readonly parse: () => Value | undefined; readonly schema: z.ZodType<Value> },
): Reading<Value> {
  try {
    const value = parse();
    if (value === undefined) return undefined;
    const checked = schema.safeParse(value);
    if (checked.success) return { value, line };
    const found = checked.error.issues.flatMap((issue) => toInputErrors(issue, '/body'));
    return found.map((error) => ({ ...error, line }));
  } catch (error) {
    if (error instanceof TrecLineError) return [{ pointer: '/body', line, detail: error.message }];
    if (!(error instanceof InterchangeError)) throw error;
    return [{ pointer: '/body', line: error.line ?? line, detail: error.reason }];
  }
}

/** Passes the entries on and gathers the issues; throws them when there are too many, or at the end. */
export async function* passEntries<Value>(
  readings: AsyncIterable<Reading<Value>>,
): AsyncGenerator<Entry<Value>> {
  const issues = createIssueCollector();
  let entries = 0;
  for await (const reading of readings) {
    if (isFaulty(reading)) issues.add(reading);
    else if (reading) {
      entries += 1;
      yield reading;
    }
    if (issues.isFull()) break;
  }
  issues.end(entries);
}

/** Gathers as many issues of a body as one answer names. */
export interface IssueCollector {
  readonly add: (errors: readonly InputError[]) => void;
  readonly isFull: () => boolean;
  /** Throws one error that names all issues, or that there is no entry. */
  readonly end: (entries: number) => void;
}

export function createIssueCollector(): IssueCollector {
  const errors: InputError[] = [];
  return {
    add: (more) => errors.push(...more.slice(0, maxInputErrors - errors.length)),
    isFull: () => errors.length >= maxInputErrors,
    end(entries) {
      refuse(errors);
      if (entries === 0) refuse([{ pointer: '/body', detail: noEntries }]);
    },
  };
}

const noEntries =
  'has no entries; curl needs --data-binary for a file, because -d removes its line breaks';

function isFaulty<Value>(reading: Reading<Value>): reading is readonly InputError[] {
  return Array.isArray(reading);
}
