import { PostgresAdapter, sql, type Kysely } from 'kysely';

import type { Tables } from '../tables/tables.ts';

/** `quick_check` reads the whole file, in the thread of the service: some 100 ms at this size. */
const maxCheckedBytes = 64 * 1024 * 1024;

const checkEveryMs = 30_000;

/** What is known of a database file. The key is the part of a database that all its scopes share. */
const states = new WeakMap<object, { isMalformed: boolean; checkedAt: number }>();

/** Remembers that SQLite found its file malformed while it ran a query. Other errors are ignored. */
export function noteMalformedFile(db: Kysely<Tables>, error: unknown): void {
  if (isMalformation(error)) stateOf(db).isMalformed = true;
}

/**
 * Whether the file of SQLite is malformed: a query has found it to be, or `quick_check` does, which runs every 30 s on
 * files of up to 64 MiB. PostgreSQL reports damaged pages itself, as errors of queries.
 */
export async function isFileMalformed(db: Kysely<Tables>): Promise<boolean> {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return false;
  const state = stateOf(db);
  if (state.isMalformed || performance.now() - state.checkedAt < checkEveryMs) {
    return state.isMalformed;
  }
  state.checkedAt = performance.now();
  try {
    state.isMalformed = !(await isSmallFileSound(db));
  } catch (error) {
    if (!isMalformation(error)) throw error;
    state.isMalformed = true;
  }
  return state.isMalformed;
}

async function isSmallFileSound(db: Kysely<Tables>): Promise<boolean> {
  const size = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count, pragma_page_size
  `.execute(db);
  if ((size.rows[0]?.bytes ?? 0) > maxCheckedBytes) return true;
  // Pages in memory would hide what happened to the file.
  await sql`pragma shrink_memory`.execute(db);
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  return rows[0]?.quick_check === 'ok';
}

function stateOf(db: Kysely<Tables>) {
  const key = db.getExecutor().adapter;
  const state = states.get(key) ?? { isMalformed: false, checkedAt: Number.NEGATIVE_INFINITY };
  states.set(key, state);
  return state;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
function isMalformation(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  const code = Number(error.errcode) % 256;
  return code === 11 || code === 26;
}
