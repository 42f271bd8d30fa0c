import { Kysely, PostgresDialect, type Transaction } from 'kysely';

import type { Tables } from '../tables/tables.ts';
import { noteMalformedFile } from './integrity.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { SqliteListDialect } from './sqlite-lists.ts';
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

export interface DatabaseOptions extends Pick<DatabaseAddress, 'tls'>, PostgresOptions {
  /** What each tenant may have; absent: as much as it wants. */
  readonly quotas?: Quotas | undefined;
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
    const pool = openPostgres(toConnection({ url, tls: options.tls }), options);
    const dialect = new PostgresDialect({ pool });
    return refuseWithoutTenant(new Kysely<Tables>({ dialect }), options.quotas);
  }
  const path = url.replace(/^sqlite:(\/\/)?/, '');
  const dialect = new SqliteListDialect({ database: openSqlite(path, options.image) });
  const db: Kysely<Tables> = new Kysely<Tables>({
    dialect,
    log(event) {
      if (event.level === 'error') noteMalformedFile(db, event.error);
    },
  });
  return refuseWithoutTenant(db, options.quotas);
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
