import { sql, type Kysely, type RawBuilder } from 'kysely';

import { isOnPostgres } from '../database/start-lock.ts';

/** Text that sorts by bytes on both databases, so that pages and rankings never depend on a locale. */
export function textFor(db: Kysely<unknown>): RawBuilder<string> {
  return isOnPostgres(db) ? sql`text collate "C"` : sql`text`;
}
