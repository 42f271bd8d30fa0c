import { Kysely, PostgresDialect, SqliteDialect, type Transaction } from 'kysely';
import pg from 'pg';

import type { Tables } from '../tables/tables.ts';
import { openSqlite } from './sqlite.ts';
import { refuseWithoutTenant, type Quotas } from './tenant-scope.ts';

/** An open database. Functions that must be part of a caller's transaction take it in this place. */
export type Database = Kysely<Tables>;
export type DatabaseTransaction = Transaction<Tables>;

/** Where a database is, and who vouches for it. */
export interface DatabaseAddress {
  readonly url: string;
  /** Present: over TLS alone, with a certificate of this authority (absent: a public one) for the host's name. */
  readonly tls?: { readonly ca: string | undefined } | undefined;
}

export interface DatabaseOptions extends Pick<DatabaseAddress, 'tls'> {
  /** What each tenant may have; absent: as much as it wants. */
  readonly quotas?: Quotas | undefined;
  /** Connections to PostgreSQL at most. */
  readonly poolSize?: number | undefined;
  /** Only with `sqlite::memory:`: what the database holds at first, as SQLite's serialize writes it. */
  readonly image?: Uint8Array | undefined;
}

/**
 * Opens `postgres://…`, `sqlite:PATH` or `sqlite::memory:`. A SQLite file belongs to one process:
 * a second one is refused with `conflict`. The caller destroys what it opened. What tenants own is read and
 * changed through `scopeToTenant` alone.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  if (isPostgres(url)) {
    const pool = new pg.Pool({
      ...toConnection({ url, tls: options.tls }),
      max: options.poolSize ?? 10,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      // An instance that stands still in a transaction would hold its locks, and with them all the others.
      idle_in_transaction_session_timeout: 10_000,
    });
    // Connections that break are replaced by the pool, and whoever waits for an answer gets the error. Those
    // that break while idle, or between two statements of a transaction, would end the process.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    const dialect = new PostgresDialect({ pool });
    return refuseWithoutTenant(new Kysely<Tables>({ dialect }), options.quotas);
  }
  const path = url.replace(/^sqlite:(\/\/)?/, '');
  const dialect = new SqliteDialect({ database: openSqlite(path, options.image) });
  return refuseWithoutTenant(new Kysely<Tables>({ dialect }), options.quotas);
}

/** What `pg` needs to connect. */
export function toConnection({ url, tls }: DatabaseAddress): {
  readonly connectionString: string;
  readonly ssl?: { readonly ca?: string };
} {
  if (!tls) return { connectionString: url };
  return { connectionString: url, ssl: tls.ca === undefined ? {} : { ca: tls.ca } };
}

/** Whether a database URL names PostgreSQL. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}
