import { sql, type SelectQueryBuilder } from 'kysely';

import type { Tables } from '../tables/tables.ts';

/** One page of a list, and where the next one starts; `null` when this was the last. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** `after` is the cursor of the page before; a list starts without one. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** A page of what has a name, in the order of the names. */
export async function listByName<
  Table extends keyof Tables,
  Row extends { readonly name: string },
  Item,
>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { limit, after }: PageRequest,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const name = sql.ref<string>('name');
  const rows = await query
    .$if(after !== undefined, (rest) => rest.where(name, '>', after ?? ''))
    .orderBy(name)
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, { toItem, toCursor: (row) => row.name });
}

/** Cuts what was read with one row more than asked for into a page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  options: { readonly toItem: (row: Row) => Item; readonly toCursor: (row: Row) => string },
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? options.toCursor(last) : null;
  return { items: shown.map(options.toItem), nextCursor };
}
