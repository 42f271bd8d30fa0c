import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { readWholeGrade, type GradeMapping } from './grade-mapping.ts';
import { refuseUnknownForm, type FileKind } from './formats.ts';
import type { ImportNotes } from './import-notes.ts';
import { createNode, isRecord } from './json-node.ts';
import { checkId } from '../ir/interchange/check-id.ts';
import { toPointer, type Issue, type Place } from './reading.ts';
import { splitLines } from './split-lines.ts';
import { JsonError, parseStrictJson } from './strict-json.ts';
import { findColumns, findDelimiter, type ColumnRole, type Columns } from './table-columns.ts';
import { readTable } from './table.ts';
import type { DatasetQuestion } from './dataset-question.ts';
import { isDatasetRecord, readDatasetRecord } from './tool-datasets.ts';
import type { FormatHints } from './detect-format.ts';

export interface ReadOptions extends FormatHints {
  readonly notes: ImportNotes;
  /** How values become grades; without it they are whole numbers. */
  readonly grades?: GradeMapping | undefined;
  /** The question of a file that names none. */
  readonly question?: string | undefined;
}

export type Fields = Readonly<Partial<Record<ColumnRole, string>>>;

/** A row of a table, or an object that says the same. */
export type FileRecord = { readonly place: Place } & (
  | { readonly fields: Fields }
  | { readonly question: DatasetQuestion }
  /** An object that is neither: what its keys mean is up to the reader. */
  | { readonly object: Readonly<Record<string, unknown>> }
  | { readonly issue: Issue }
);

interface RecordOptions extends ReadOptions {
  readonly kind: FileKind;
}

/** The records of a table with a header. */
export async function* readTableRecords(
  texts: AsyncIterable<string>,
  head: string,
  { kind, notes }: RecordOptions,
): AsyncGenerator<FileRecord> {
  let columns: Columns | undefined;
  const delimiter = findDelimiter(head);
  for await (const { line, fields } of readTable(texts, head)) {
    if (columns) {
      const issue = checkWidth(fields, columns, { line, delimiter });
      yield issue
        ? { place: { line }, issue }
        : { place: { line }, fields: pick(fields, columns, delimiter) };
    } else {
      columns = readHeader(fields, { line, kind, delimiter });
      notes.ignoreColumns(columns.ignored);
    }
  }
}

/** The records of lines of JSON. */
export async function* readJsonRecords(
  texts: AsyncIterable<string>,
  options: RecordOptions,
): AsyncGenerator<FileRecord> {
  for await (const { text, number } of splitLines(texts)) {
    if (text.trim() !== '') yield readJsonLine(text, { line: number }, options);
  }
}

/** The records of a JSON list of objects, as data frames are written. */
export function* readListRecords(
  list: readonly unknown[],
  options: RecordOptions,
): Generator<FileRecord> {
  for (const [index, value] of list.entries()) {
    yield toRecord(value, { pointer: toPointer(index) }, options);
  }
}

/** Whether the keys of an object are columns of a table. */
export function hasColumns(value: unknown, kind: FileKind): boolean {
  return isRecord(value) && findColumns(Object.keys(value), kind) !== undefined;
}

/** An id without blanks around it, which is not empty. */
export function readId(text: string, what: string, { notes }: ReadOptions): string {
  return checkId(notes.trim(text), what);
}

/** A grade as the mapping of the request makes it, else a whole number. */
export function readGrade(text: string, { grades, notes }: ReadOptions): number {
  if (!grades) return readWholeGrade(text);
  notes.countMapped();
  return grades(text);
}

function readHeader(
  fields: readonly string[],
  {
    line,
    kind,
    delimiter,
  }: { readonly line: number; readonly kind: FileKind; readonly delimiter: string },
): Columns {
  const columns = findColumns(fields, kind);
  if (columns) return columns;
  const nearest = delimiter === '\t' ? 'tsv' : 'csv';
  const found = 'the first line is not a header with the columns that are needed';
  return refuseUnknownForm(kind, { found, nearest, line });
}

function checkWidth(
  fields: readonly string[],
  { count }: Columns,
  { line, delimiter }: { readonly line: number; readonly delimiter: string },
): Issue | undefined {
  if (fields.slice(count).some((field) => field.trim() !== '')) {
    return {
      line,
      detail: `${fields.length} columns instead of ${count}; a field that holds the separator must be in quotation marks`,
    };
  }
  if (fields.length > 1 || count === 1) return undefined;
  const others = delimiter === '\t' ? /[,; ]/g : delimiter === ',' ? /[;\t]/g : /[,\t]/g;
  const found = [...(fields[0] ?? '').matchAll(others)].length + 1;
  if (found < count) return undefined;
  return {
    line,
    detail: `1 column instead of ${count}: the line is not separated as the header is`,
  };
}

function pick(fields: readonly string[], { places }: Columns, delimiter: string): Fields {
  const named = Object.entries(places).map(([role, place]) => {
    const text = fields[place] ?? '';
    const isNumber = role === 'grade' || role === 'score';
    return [role, isNumber && delimiter === ';' ? toDecimalPoint(text) : text];
  });
  return Object.fromEntries(named) as Fields;
}

/** Where semicolons separate columns, spreadsheets write decimal commas. */
function toDecimalPoint(text: string): string {
  return text.replace(/^(\s*[+-]?\d+),(\d+\s*)$/, '$1.$2');
}

function readJsonLine(text: string, place: Place, options: RecordOptions): FileRecord {
  try {
    return toRecord(parseStrictJson(text.replace(/^\uFEFF/, '')), place, options);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { place, issue: { ...place, detail: error.reason.replace('line 1, ', '') } };
  }
}

function toRecord(value: unknown, place: Place, options: RecordOptions): FileRecord {
  if (!isRecord(value)) return { place, issue: { ...place, detail: 'is not a JSON object' } };
  try {
    if (isDatasetRecord(value)) {
      return { place, question: readDatasetRecord(createNode(value, place.pointer)) };
    }
  } catch (error) {
    if (!(error instanceof InterchangeError)) throw error;
    const key = (error.pointer ?? '').slice((place.pointer ?? '').length + 1);
    const detail = key === '' ? error.reason : `'${key}' ${error.reason}`;
    return { place, issue: { ...place, detail } };
  }
  if (options.kind === 'questions') return { place, object: value };
  const keys = Object.keys(value);
  const columns = findColumns(keys, options.kind);
  if (!columns) return { place, object: value };
  options.notes.ignoreColumns(columns.ignored);
  const named = Object.entries(columns.places).map(([role, index]) => {
    const field = value[keys[index] ?? ''];
    return [role, field === null || field === undefined ? '' : toText(field)];
  });
  return { place, fields: Object.fromEntries(named) as Fields };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
