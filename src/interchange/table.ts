import { pipeline, Readable } from 'node:stream';

import { CsvError, parse, type Options } from 'csv-parse';

import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { findDelimiter } from './table-columns.ts';

/** The fields of one record and the line, from 1, that it starts on. */
export interface TableRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

const maxRecordBytes = 2 ** 20;

/**
 * Reads CSV by RFC 4180 with commas, semicolons or tabs, whichever `sep=` names or the first line has most.
 * Lines end in LF or CRLF; records without any text are passed over. Where others guess (a quotation mark
 * inside a plain field, text behind a quoted one, one that stays open) this throws an InterchangeError with
 * the line. `head` is the start of the same text.
 */
export async function* readTable(
  texts: AsyncIterable<string>,
  head: string,
): AsyncGenerator<TableRecord> {
  const first = /^sep=.\r?\n/i.test(head) ? 2 : 1;
  let line = first;
  const options: Options<TableRecord, readonly string[]> = {
    delimiter: findDelimiter(head),
    from_line: first,
    max_record_size: maxRecordBytes,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    // Files of BEIR have quotation marks in the middle of ids.
    relax_quotes: findDelimiter(head) === '\t',
    // The parser counts the two characters of a quoted CRLF as two lines, so the lines are counted here.
    on_record: (fields: readonly string[]) => {
      const start = line;
      line += 1 + fields.reduce((sum, field) => sum + countBreaks(field), 0);
      return { line: start, fields };
    },
  };
  const parser = parse(options as unknown as Options);
  // What fails is thrown by the iteration.
  pipeline(Readable.from(texts), parser, () => undefined);
  try {
    for await (const record of parser as AsyncIterable<TableRecord>) {
      if (record.fields.some((field) => field.trim() !== '')) yield record;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new InterchangeError(reasons[error.code] ?? 'is not CSV', { line, cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a quoted field',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'there is text after a quoted field',
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is not closed',
  INVALID_OPENING_QUOTE:
    'there is a quotation mark inside an unquoted field; put the whole field in quotation marks and double those in it',
  CSV_MAX_RECORD_SIZE: `a record is longer than ${maxRecordBytes} bytes; is a quotation mark not closed?`,
};

function countBreaks(field: string): number {
  let count = 0;
  for (let at = field.indexOf('\n'); at !== -1; at = field.indexOf('\n', at + 1)) count += 1;
  return count;
}
