import type { IdSlice } from './id-arena.ts';
import { hashSlice } from './scan-line.ts';

const utf8 = new TextEncoder();

/** An id that came as text, as a slice with the hash that its bytes have in a line. */
export function toIdSlice(id: string): IdSlice {
  const bytes = utf8.encode(id);
  const slice = { bytes, start: 0, end: bytes.length, hash: 0 };
  hashSlice(slice);
  return slice;
}

export function createIdSlice(): IdSlice {
  return { bytes: new Uint8Array(0), start: 0, end: 0, hash: 0 };
}
