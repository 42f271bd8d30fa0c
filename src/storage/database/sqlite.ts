import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

import type { SqliteDatabase } from 'kysely';

import { AppError } from '../../errors.ts';

/** Opens a file, or `:memory:` with the content of `image`, for Kysely. Throws `conflict` if another process has it. */
export function openSqlite(path: string, image: Uint8Array | undefined): SqliteDatabase {
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
 * statements are kept. Queries that are read bit by bit get a statement of their own, as a statement has one cursor.
 */
function adapt(database: DatabaseSync): SqliteDatabase {
  const guard = guardTransactions(database);
  const prepare = keepStatements((sql) => {
    const statement = database.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => guard(sql, () => statement.all(...bind(parameters))),
      run: (parameters) => guard(sql, () => statement.run(...bind(parameters))),
      iterate: (parameters) => guard(sql, () => database.prepare(sql).iterate(...bind(parameters))),
    };
  });
  return {
    prepare: (sql) => (sql === 'rollback' ? createRollback(guard, database) : prepare(sql)),
    close: () => database.close(),
  };
}

type Guard = <Value>(sql: string, run: () => Value) => Value;

/**
 * SQLite ends a transaction by itself when the disk is full or fails
 * (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction"). Statements that follow
 * in the same transaction would then be committed one by one. They fail instead, with the first error as their cause.
 */
function guardTransactions(database: DatabaseSync): Guard {
  let isOpen = false;
  let lostBy: unknown;
  return (sql, run) => {
    const isEnd = sql === 'rollback';
    if (isOpen && !isEnd && !database.isTransaction) {
      throw new Error('SQLite rolled back the transaction of this statement', { cause: lostBy });
    }
    try {
      const value = run();
      if (sql === 'begin') isOpen = true;
      if (sql === 'commit' || isEnd) isOpen = false;
      return value;
    } catch (error) {
      if (isOpen && !database.isTransaction) lostBy = error;
      throw error;
    }
  };
}

/** Does nothing if SQLite has rolled back: its error would replace the one that explains why. */
function createRollback(guard: Guard, database: DatabaseSync): ReturnType<PrepareStatement> {
  const run = () => {
    if (database.isTransaction) database.exec('rollback');
    return { changes: 0, lastInsertRowid: 0 };
  };
  return {
    reader: false,
    all: () => [],
    run: () => guard('rollback', run),
    iterate: () => [][Symbol.iterator](),
  };
}

type PrepareStatement = SqliteDatabase['prepare'];

/** Long statements are inserts of many rows. What each holds, its last rows included, is up to some megabytes. */
const [maxKept, maxKeptLong, longLength] = [300, 8, 4000];

/**
 * The service has some hundred queries, and inserts of as many rows as one statement takes. What is not kept
 * is freed by the garbage collector alone, which does not know how much memory a statement holds.
 */
function keepStatements(prepare: PrepareStatement): PrepareStatement {
  const short = keepLatest(prepare, maxKept);
  const long = keepLatest(prepare, maxKeptLong);
  return (sql) => (sql.length > longLength ? long(sql) : short(sql));
}

function keepLatest(prepare: PrepareStatement, count: number): PrepareStatement {
  const kept = new Map<string, ReturnType<PrepareStatement>>();
  return (sql) => {
    const statement = kept.get(sql) ?? prepare(sql);
    kept.delete(sql);
    kept.set(sql, statement);
    const [oldest] = kept.keys();
    if (kept.size > count && oldest !== undefined) kept.delete(oldest);
    return statement;
  };
}
