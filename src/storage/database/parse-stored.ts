import type { z } from 'zod';

import { BrokenRowError } from '../../errors.ts';
import type { Tables } from '../tables/tables.ts';

/** The row and the column that a text was read from. */
export interface StoredPlace<Table extends keyof Tables = keyof Tables> {
  readonly table: Table;
  readonly column: string & keyof Tables[Table];
  /** What identifies the row, as `sample@3` does. */
  readonly row: string;
}

/**
 * Reads stored JSON. Returns the value as it was stored, with fields that a later release added, and throws
 * BrokenRowError where it does not have the shape of the schema. Limits belong to the wire format: a row that was
 * stored under other limits is still read.
 */
export function parseStored<Value, Table extends keyof Tables>(
  schema: z.ZodType<Value, Value>,
  text: string,
  place: StoredPlace<Table>,
): Value {
  const value = parseStoredJson(text, place);
  if (!schema.safeParse(value).success) throw new BrokenRowError(place);
  return value as Value;
}

/** The same without a schema, for a caller that checks the shape at less cost. */
export function parseStoredJson<Table extends keyof Tables>(
  text: string,
  place: StoredPlace<Table>,
): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without a cause: the message of the parser quotes the text.
    throw new BrokenRowError(place);
  }
}

/** What `read` returns, or the fallback where the row cannot be read: for work that one broken row must not stop. */
export function readOr<Value, Fallback>(read: () => Value, fallback: Fallback): Value | Fallback {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenRowError) return fallback;
    throw error;
  }
}
