import type { IdSlice } from './id-arena.ts';

/** A line of a block cut into columns. One object is filled again for every line. */
export interface ScannedLine {
  /** Ends with a line feed. */
  bytes: Uint8Array;
  /** Where the line starts. */
  start: number;
  /** Where the next line starts, behind the line feed. */
  next: number;
  columns: number;
  /** Of the first columns, as many as are of interest. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const lineFeed = 0x0a;
const keptColumns = 8;
/** With these many digits the digits alone are a double without rounding, and so is the power of ten: the quotient is rounded once. */
const maxDigits = 15;
const powersOfTen = Float64Array.from({ length: maxDigits + 1 }, (_, exponent) => 10 ** exponent);

export function createScannedLine(): ScannedLine {
  return {
    bytes: new Uint8Array(0),
    start: 0,
    next: 0,
    columns: 0,
    starts: new Int32Array(keptColumns),
    ends: new Int32Array(keptColumns),
  };
}

/** Cuts the line that starts at `next` at what C's `isspace` holds for, as `splitColumns` does. */
export function scanLine(line: ScannedLine): void {
  const { bytes, starts, ends } = line;
  let position = line.next;
  let columns = 0;
  line.start = position;
  for (;;) {
    while (isBlank(bytes[position] as number)) position += 1;
    if (bytes[position] === lineFeed) break;
    const start = position;
    while (!isSpace(bytes[position] as number)) position += 1;
    if (columns < keptColumns) {
      starts[columns] = start;
      ends[columns] = position;
    }
    columns += 1;
  }
  line.columns = columns;
  line.next = position + 1;
}

/** Points the slice at a column. Its hash is not made yet. */
export function sliceColumn(
  { bytes, starts, ends }: ScannedLine,
  column: number,
  id: IdSlice,
): void {
  id.bytes = bytes;
  id.start = starts[column] as number;
  id.end = ends[column] as number;
}

/** Hashes the bytes that the slice points at (FNV-1a, 32 bits; Fowler, Noll and Vo 1991). */
export function hashSlice(id: IdSlice): void {
  const { bytes, start, end } = id;
  let hash = 0x811c9dc5;
  for (let index = start; index < end; index += 1) {
    hash = Math.imul(hash ^ (bytes[index] as number), 0x01000193);
  }
  // Some tables choose the slot by the low bits, which the last bytes alone would decide.
  id.hash = hash ^ (hash >>> 15);
}

/**
 * The number in a column written in digits, with a sign and a decimal point or without; NaN for every
 * other form, and for more than 15 digits: those are for `Number`.
 */
export function readDecimal(line: ScannedLine, column: number): number {
  const { bytes } = line;
  const end = line.ends[column] as number;
  const first = line.starts[column] as number;
  const sign = bytes[first];
  let digits = 0;
  let value = 0;
  let point = -1;
  for (let index = sign === 0x2d || sign === 0x2b ? first + 1 : first; index < end; index += 1) {
    const digit = (bytes[index] as number) - 0x30;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digits += 1;
    } else if (digit === -2 && point === -1) point = digits;
    else return Number.NaN;
  }
  if (digits === 0 || digits > maxDigits) return Number.NaN;
  if (point !== -1) value /= powersOfTen[digits - point] as number;
  // 0 - value would be right for 0 too, but -0 must not come out.
  return sign === 0x2d && value !== 0 ? -value : value;
}

function isSpace(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

function isBlank(byte: number): boolean {
  return byte <= 0x20 && byte !== lineFeed && isSpace(byte);
}
