import { appendId, createIdArena, isSameId, type IdArena, type IdSlice } from './id-arena.ts';

/** Ids with a number each, which is found again by the bytes: open addressing with linear probing. */
export interface IdTable {
  readonly ids: IdArena;
  /** A power of two; number + 1 of an id, 0 where free. */
  slots: Int32Array;
}

export function createIdTable(): IdTable {
  return { ids: createIdArena(1 << 10), slots: new Int32Array(1 << 12) };
}

/** The number of the id, -1 when it has none. */
export function findId({ ids, slots }: IdTable, id: IdSlice): number {
  const mask = slots.length - 1;
  let slot = id.hash & mask;
  for (;;) {
    const number = (slots[slot] as number) - 1;
    if (number === -1) return -1;
    if (ids.hashes[number] === id.hash && isSameId(ids, number, id)) return number;
    slot = (slot + 1) & mask;
  }
}

/** The number of the id; a new one gets the next, counted from 0. */
export function internId(table: IdTable, id: IdSlice): number {
  const found = findId(table, id);
  if (found !== -1) return found;
  if (2 * (table.ids.count + 1) > table.slots.length) growSlots(table);
  const number = appendId(table.ids, id);
  placeNumber(table.slots, id.hash, number);
  return number;
}

function growSlots(table: IdTable): void {
  const { ids } = table;
  const slots = new Int32Array(2 * table.slots.length);
  for (let number = 0; number < ids.count; number += 1) {
    placeNumber(slots, ids.hashes[number] as number, number);
  }
  table.slots = slots;
}

function placeNumber(slots: Int32Array, hash: number, number: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = number + 1;
}
