import { InvalidInputError } from '../../errors.ts';
import type { Page } from '../../storage/database/paging.ts';

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Reads the query of a list. Cursors are opaque to clients. */
export function toPageRequest({ limit, cursor }: PageQuery): {
  readonly limit: number;
  readonly after?: string;
} {
  if (cursor === undefined) return { limit };
  const after = Buffer.from(cursor, 'base64url').toString('utf8');
  if (/^[A-Za-z0-9._:|-]{1,200}$/.test(after)) return { limit, after };
  throw notACursor();
}

/** As `toPageRequest`, for lists whose cursor is a number. */
export function toNumberedPageRequest(query: PageQuery): {
  readonly limit: number;
  readonly after?: string;
} {
  const page = toPageRequest(query);
  if (page.after === undefined || /^\d{1,9}$/.test(page.after)) return page;
  throw notACursor();
}

function notACursor(): InvalidInputError {
  const errors = [{ pointer: '/query/cursor', detail: 'is not a cursor of this list' }];
  return new InvalidInputError('Invalid cursor', errors);
}

/** Writes a page as clients read it. */
export function toWirePage<Item, Wire>(
  { items, nextCursor }: Page<Item>,
  toWire: (item: Item) => Wire,
): { items: Wire[]; nextCursor: string | null } {
  const cursor = nextCursor === null ? null : Buffer.from(nextCursor, 'utf8').toString('base64url');
  return { items: items.map(toWire), nextCursor: cursor };
}
