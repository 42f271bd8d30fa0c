import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

import {
  Kysely,
  PostgresDialect,
  SqliteDialect,
  type SqliteDatabase,
  type Transaction,
} from 'kysely';
import pg from 'pg';

import { AppError } from '../../errors.ts';
import type { Tables } from '../tables/tables.ts';
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

function openSqlite(path: string, image: Uint8Array | undefined): SqliteDatabase {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  try {
    if (image) database.deserialize(image);
    claim(database);
  } catch (cause) {
    database.close();
    const message = `The database file ${path} is in use by another process; SQLite serves one process, use PostgreSQL for several`;
    throw isBusy(cause) ? new AppError('conflict', message, { cause }) : cause;
  }
  return adapt(database);
}

/** WAL with an exclusive lock that the operating system lifts when the process ends, however it ends. */
function claim(database: DatabaseSync): void {
  database.exec(`
    pragma busy_timeout = 0;
    pragma locking_mode = exclusive;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    begin exclusive;
    commit;
  `);
}

function isBusy(error: unknown): boolean {
  const sqliteBusy = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

function bind(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}

/**
 * Gives node:sqlite the shape that Kysely's dialect calls. Preparing a short query takes longer than running it, so
 * that statements are kept; what is read bit by bit gets one of its own, as a statement is at one place at a time.
 */
function adapt(database: DatabaseSync): SqliteDatabase {
  const prepare = keepStatements((sql) => {
    const statement = database.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...bind(parameters)),
      run: (parameters) => statement.run(...bind(parameters)),
      iterate: (parameters) => database.prepare(sql).iterate(...bind(parameters)),
    };
  });
  return { prepare, close: () => database.close() };
}

type PrepareStatement = SqliteDatabase['prepare'];

/** The service has some hundred queries; those with long lists are of many lengths, and hardly come again. */
function keepStatements(prepare: PrepareStatement): PrepareStatement {
  const [maxKept, maxKeptLength] = [300, 4000];
  const kept = new Map<string, ReturnType<PrepareStatement>>();
  return (sql) => {
    const statement = kept.get(sql) ?? prepare(sql);
    if (sql.length > maxKeptLength) return statement;
    kept.delete(sql);
    kept.set(sql, statement);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return statement;
  };
}
