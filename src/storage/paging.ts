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
