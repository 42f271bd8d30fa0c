import { InterchangeError } from './interchange-error.ts';

/** The fields of one record and the line, from 1, that it starts on. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Cuts a text that comes in chunks into records. */
export interface CsvReader {
  /** The records that the chunk completes. */
  add(chunk: string): readonly CsvRecord[];
  /** The text is over: the last record, where it has no line end. */
  end(): readonly CsvRecord[];
}

/** `afterQuote` is behind a quotation mark in a quoted field: its end, or half of a doubled one. */
type Place = 'start' | 'plain' | 'quoted' | 'afterQuote' | 'afterReturn';

interface State {
  place: Place;
  line: number;
  startLine: number;
  field: string;
  isQuoted: boolean;
  fields: string[];
  records: CsvRecord[];
}

const maxFieldLength = 2 ** 20;

/**
 * Reads CSV by RFC 4180: commas; quotation marks round fields that hold commas, quotation marks (then
 * doubled) or line ends; lines that end in LF or CRLF. An empty line is no record, a byte order mark at the start
 * is dropped. Where others guess (a quotation mark inside a plain field, text behind a quoted one, a
 * lone CR, an open quotation mark at the end) this throws an InterchangeError with the line.
 */
export function createCsvReader(): CsvReader {
  const state: State = {
    place: 'start',
    line: 1,
    startLine: 1,
    field: '',
    isQuoted: false,
    fields: [],
    records: [],
  };
  let isAtStart = true;
  const takeRecords = () => {
    const { records } = state;
    state.records = [];
    return records;
  };
  return {
    add(chunk) {
      if (chunk === '') return [];
      const text = isAtStart && chunk.startsWith('\uFEFF') ? chunk.slice(1) : chunk;
      isAtStart = false;
      for (let index = 0; index < text.length; index += 1) take(state, text.charAt(index));
      return takeRecords();
    },
    end() {
      if (state.place === 'quoted') fail(state, 'a quotation mark is not closed');
      if (state.place === 'afterReturn') fail(state, loneReturn);
      endRecord(state);
      return takeRecords();
    },
  };
}

/** Writes a record without its line end. */
export function formatCsvRecord(fields: readonly string[]): string {
  return fields.map(formatField).join(',');
}

function formatField(field: string): string {
  return /[",\r\n\uFEFF]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

const loneReturn = 'a carriage return is not followed by a line feed';

function take(state: State, char: string): void {
  if (state.place === 'quoted') takeQuoted(state, char);
  else if (state.place === 'afterReturn') {
    if (char !== '\n') fail(state, loneReturn);
    endRecord(state);
  } else if (char === ',') endField(state);
  else if (char === '\n') endRecord(state);
  else if (char === '\r') state.place = 'afterReturn';
  else if (char === '"') takeQuote(state);
  else if (state.place === 'afterQuote') fail(state, 'there is text after a quoted field');
  else {
    state.place = 'plain';
    append(state, char);
  }
}

function takeQuoted(state: State, char: string): void {
  if (char === '"') {
    state.place = 'afterQuote';
    return;
  }
  if (char === '\n') state.line += 1;
  append(state, char);
}

/** A quotation mark outside a quoted field, or right behind one in it. */
function takeQuote(state: State): void {
  if (state.place === 'plain') fail(state, 'there is a quotation mark inside an unquoted field');
  if (state.place === 'afterQuote') append(state, '"');
  state.place = 'quoted';
  state.isQuoted = true;
}

function append(state: State, char: string): void {
  if (state.field.length === maxFieldLength) {
    fail(state, `a field is longer than ${maxFieldLength} characters`);
  }
  state.field += char;
}

function endField(state: State): void {
  state.fields.push(state.field);
  state.field = '';
  state.isQuoted = false;
  state.place = 'start';
}

function endRecord(state: State): void {
  const isEmpty = state.fields.length === 0 && state.field === '' && !state.isQuoted;
  if (!isEmpty) {
    endField(state);
    state.records.push({ line: state.startLine, fields: state.fields });
  }
  state.fields = [];
  state.place = 'start';
  state.line += 1;
  state.startLine = state.line;
}

function fail({ line }: State, reason: string): never {
  throw new InterchangeError(reason, { line });
}
