/** The place of an id in a block of bytes, and its hash. One object is reused for every line. */
export interface IdSlice {
  bytes: Uint8Array;
  start: number;
  end: number;
  hash: number;
}

/** Ids as UTF-8 bytes, one behind the other, numbered from 0: id n is `bytes` from `starts[n]` to `starts[n + 1]`. */
export interface IdArena {
  bytes: Uint8Array;
  starts: Uint32Array;
  hashes: Int32Array;
  count: number;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** With initial room for this many ids. Room that is never written to takes no memory. */
export function createIdArena(room: number): IdArena {
  return {
    bytes: new Uint8Array(8 * room),
    starts: new Uint32Array(room + 1),
    hashes: new Int32Array(room + 1),
    count: 0,
  };
}

/** Copies the id to the end and gives its number. Equal ids are not looked for. */
export function appendId(arena: IdArena, { bytes, start, end, hash }: IdSlice): number {
  const number = arena.count;
  let to = arena.starts[number] as number;
  if (number + 2 > arena.starts.length) growCounts(arena);
  if (to + end - start > arena.bytes.length) growBytes(arena, to + end - start);
  const target = arena.bytes;
  for (let from = start; from < end; from += 1) {
    target[to] = bytes[from] as number;
    to += 1;
  }
  arena.starts[number + 1] = to;
  arena.hashes[number] = hash;
  arena.count = number + 1;
  return number;
}

/** Whether the id of this number has the bytes of the slice. Hashes are not looked at. */
export function isSameId(arena: IdArena, number: number, { bytes, start, end }: IdSlice): boolean {
  const first = arena.starts[number] as number;
  const length = (arena.starts[number + 1] as number) - first;
  if (length !== end - start) return false;
  const own = arena.bytes;
  for (let index = 0; index < length; index += 1) {
    if (own[first + index] !== bytes[start + index]) return false;
  }
  return true;
}

/** Orders two ids by their bytes, which is by code point. */
export function compareIds({ bytes, starts }: IdArena, a: number, b: number): number {
  const startA = starts[a] as number;
  const startB = starts[b] as number;
  const lengthA = (starts[a + 1] as number) - startA;
  const lengthB = (starts[b + 1] as number) - startB;
  const shared = Math.min(lengthA, lengthB);
  for (let index = 0; index < shared; index += 1) {
    const difference = (bytes[startA + index] as number) - (bytes[startB + index] as number);
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}

export function decodeId({ bytes, starts }: IdArena, number: number): string {
  return utf8.decode(bytes.subarray(starts[number], starts[number + 1]));
}

function growCounts(arena: IdArena): void {
  const starts = new Uint32Array(2 * arena.starts.length);
  starts.set(arena.starts);
  arena.starts = starts;
  const hashes = new Int32Array(starts.length);
  hashes.set(arena.hashes);
  arena.hashes = hashes;
}

function growBytes(arena: IdArena, needed: number): void {
  const bytes = new Uint8Array(Math.max(2 * arena.bytes.length, needed));
  bytes.set(arena.bytes);
  arena.bytes = bytes;
}
