import type { Readable } from 'node:stream';

import type { z } from 'zod';

import { InvalidInputError } from '../../errors.ts';
import { createCsvReader, type CsvRecord } from '../../ir/interchange/csv-records.ts';
import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import { passEntries, readEntry, type Reading } from './entry-lines.ts';
import { readChunks, type Entry } from './line-body.ts';

export interface CsvFormat<Value> {
  /** Takes the header and gives what reads the records behind it. */
  readonly createParser: (header: CsvRecord) => (record: CsvRecord) => Value;
  /** The bounds that hold however an entry arrives. */
  readonly schema: z.ZodType<Value>;
}

/** Reads CSV with a header as it arrives. Throws one error that names all lines at fault, or that there is none. */
export function readCsvEntries<Value>(
  body: Readable,
  maxBytes: number,
  { createParser, schema }: CsvFormat<Value>,
): AsyncGenerator<Entry<Value>> {
  async function* readings(): AsyncGenerator<Reading<Value>> {
    let parser: ((record: CsvRecord) => Value) | undefined;
    try {
      for await (const record of readRecords(body, maxBytes)) {
        const parse = parser;
        if (parse) yield readEntry(record.line, { parse: () => parse(record), schema });
        else parser = createParser(record);
      }
    } catch (error) {
      // Behind such a fault nobody knows where a record begins.
      if (!(error instanceof InterchangeError)) throw error;
      const place = error.line === undefined ? {} : { line: error.line };
      yield [{ pointer: '/body', ...place, detail: error.reason }];
    }
  }
  return passEntries(readings());
}

async function* readRecords(body: Readable, maxBytes: number): AsyncGenerator<CsvRecord> {
  const reader = createCsvReader();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of readChunks(body, maxBytes)) {
    yield* reader.add(decode(() => decoder.decode(chunk, { stream: true })));
  }
  yield* reader.add(decode(() => decoder.decode()));
  yield* reader.end();
}

function decode(read: () => string): string {
  try {
    return read();
  } catch (cause) {
    const detail = 'is not valid UTF-8';
    throw new InvalidInputError(`The body ${detail}`, [{ pointer: '/body', detail }], cause);
  }
}
