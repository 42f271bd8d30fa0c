import { quote } from '../trec/trec-line-error.ts';
import type { CsvRecord } from './csv-records.ts';
import { InterchangeError } from './interchange-error.ts';

/** The fields of a record by the column names of the header. */
export type ReadColumns = (record: CsvRecord) => Readonly<Record<string, string>>;

/** Takes the header, in which the columns may stand in any order, each once and no others. `wanted` has one list for each form of the file. */
export function readCsvHeader(
  { line, fields }: CsvRecord,
  wanted: readonly (readonly string[])[],
): ReadColumns {
  const names = fields.map((name) => name.trim().toLowerCase());
  const isKnown = wanted.some(
    (columns) => columns.length === names.length && columns.every((name) => names.includes(name)),
  );
  if (!isKnown) {
    const forms = wanted.map((columns) => columns.join(',')).join(' or ');
    throw new InterchangeError(`the header is ${quote(fields.join(','))} instead of ${forms}`, {
      line,
    });
  }
  return (record) => {
    if (record.fields.length !== names.length) {
      throw new InterchangeError(`${record.fields.length} columns instead of ${names.length}`, {
        line: record.line,
      });
    }
    return Object.fromEntries(names.map((name, index) => [name, record.fields[index] ?? '']));
  };
}

/** Runs `read` so that what it refuses names the line. */
export function withLine<Value>({ line }: CsvRecord, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InterchangeError)) throw error;
    throw new InterchangeError(error.message, { line, cause: error });
  }
}
