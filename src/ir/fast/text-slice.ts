import type { IdSlice } from './id-arena.ts';
import { createScannedLine, sliceColumn } from './scan-line.ts';

const utf8 = new TextEncoder();

/** An id that came as text, as a slice with the hash that its bytes have in a line. */
export function toIdSlice(id: string): IdSlice {
  const line = createScannedLine();
  line.bytes = utf8.encode(id);
  line.ends[0] = line.bytes.length;
  const slice = createIdSlice();
  sliceColumn(line, 0, slice);
  return slice;
}

export function createIdSlice(): IdSlice {
  return { bytes: new Uint8Array(0), start: 0, end: 0, hash: 0 };
}
