import { sql, type Kysely } from 'kysely';

import { isOnPostgres } from '../database/start-lock.ts';
import { localTenant } from '../database/tenant-scope.ts';
import { textFor } from './text-column.ts';

interface OwnedTable {
  /** The primary key. The tenant comes before it, unless it is made by the service and so is nobody's twice. */
  readonly key: readonly string[];
  readonly isKeyMade?: true;
  /** What a tenant has once. */
  readonly unique?: string;
  /** What a row belongs to within its tenant. */
  readonly parent?: { readonly column: string; readonly table: string; readonly cascade?: true };
  /** Whether a row keeps an evaluation from being deleted. */
  readonly keepsEvaluation?: true;
}

type OwnedTables = Readonly<Record<string, OwnedTable>>;

/** Every table whose rows have names, or ids that clients choose, as it stood before tenants. Parents first. */
const named: OwnedTables = {
  question_set: { key: ['name'] },
  question_set_version: {
    key: ['question_set', 'version'],
    parent: { column: 'question_set', table: 'question_set' },
  },
  question: {
    key: ['question_set', 'question_id', 'from_version'],
    parent: { column: 'question_set', table: 'question_set' },
  },
  corpus: { key: ['name'] },
  corpus_document: {
    key: ['corpus', 'document_id'],
    parent: { column: 'corpus', table: 'corpus', cascade: true },
  },
  search_configuration: { key: ['name'] },
  run: { key: ['name'] },
  run_ranking: {
    key: ['run', 'question_id'],
    parent: { column: 'run', table: 'run', cascade: true },
  },
  evaluation: {
    key: ['id'],
    isKeyMade: true,
    unique: 'idempotency_key',
    parent: { column: 'question_set', table: 'question_set' },
  },
  baseline: { key: ['name'], keepsEvaluation: true },
  schedule: { key: ['name'] },
  schedule_tick: {
    key: ['schedule', 'tick_at'],
    parent: { column: 'schedule', table: 'schedule', cascade: true },
  },
  job_run: { key: ['run_id'] },
  alert_target: { key: ['name'] },
  alert_event: { key: ['id'] },
  outbox: { key: ['id'] },
};

/** Indexes that lead to a tenant's rows alone, once they begin with the tenant. */
const ownIndexes: Readonly<Record<string, readonly [table: string, ...columns: string[]]>> = {
  question_by_position: ['question', 'question_set', 'position', 'from_version'],
  corpus_document_by_position: ['corpus_document', 'corpus', 'position'],
  evaluation_by_time: ['evaluation', 'created_at', 'id'],
  evaluation_by_question_set: ['evaluation', 'question_set', 'status'],
};

/** Gives every row a tenant. What was stored before sign-in existed belongs to the tenant `local`. */
export async function giveRowsToTenants(db: Kysely<unknown>): Promise<void> {
  await giveOwners(db, named);
}

export async function givePricesToTenants(db: Kysely<unknown>): Promise<void> {
  await giveOwners(db, { price_table: { key: ['version'] } });
}

async function giveOwners(db: Kysely<unknown>, tables: OwnedTables): Promise<void> {
  await (isOnPostgres(db) ? alterTables(db, tables) : rebuildTables(db, tables));
}

async function alterTables(db: Kysely<unknown>, tables: OwnedTables): Promise<void> {
  for (const { table, name } of await listForeignKeys(db, Object.keys(tables))) {
    await dropConstraint(db, table, name);
  }
  for (const [table, { key, isKeyMade, unique, parent }] of Object.entries(tables)) {
    const owner = sql`tenant text collate "C" not null default ${sql.lit(localTenant)}`;
    await sql`alter table ${sql.table(table)} add column ${owner}`.execute(db);
    await sql`alter table ${sql.table(table)} alter column tenant drop default`.execute(db);
    if (!isKeyMade) {
      await dropConstraint(db, table, `${table}_key`, `${table}_pkey`);
      await sql`alter table ${sql.table(table)} add primary key (${columns(key)})`.execute(db);
    }
    if (unique !== undefined) {
      await dropConstraint(db, table, `${table}_${unique}_key`);
      await sql`alter table ${sql.table(table)} add unique (${columns([unique])})`.execute(db);
    }
    if (parent) await sql`alter table ${sql.table(table)} add ${reference(parent)}`.execute(db);
  }
  for (const [name, [table, ...indexed]] of Object.entries(ownIndexes)) {
    if (!Object.hasOwn(tables, table)) continue;
    await sql`drop index ${sql.ref(name)}`.execute(db);
    await createIndex(db, name, [table, ...indexed]);
  }
}

async function dropConstraint(
  db: Kysely<unknown>,
  table: string,
  ...names: readonly string[]
): Promise<void> {
  for (const name of names) {
    await sql`alter table ${sql.table(table)} drop constraint if exists ${sql.ref(name)}`.execute(
      db,
    );
  }
}

/** Those that lead to a table by its name alone. */
async function listForeignKeys(
  db: Kysely<unknown>,
  tables: readonly string[],
): Promise<readonly { readonly table: string; readonly name: string }[]> {
  const { rows } = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace
      and confrelid::regclass::text in (${sql.join(tables)})
      and confrelid <> 'evaluation'::regclass`.execute(db);
  return rows;
}

/**
 * SQLite cannot change a key: each table is made anew, filled, and put in the old one's place. References
 * by name stay true meanwhile, and all are checked before the end. Kysely runs it outside a transaction,
 * and it may run again when the process dies between its commit and the note that it ran.
 */
async function rebuildTables(db: Kysely<unknown>, tables: OwnedTables): Promise<void> {
  const first = await listColumns(db, Object.keys(tables)[0] ?? '');
  if (first.some(({ name }) => name === 'tenant')) return;
  await sql`pragma foreign_keys = off`.execute(db);
  await sql`begin immediate`.execute(db);
  try {
    for (const [name, table] of Object.entries(tables)) await rebuild(db, name, table);
    const { rows: broken } = await sql`pragma foreign_key_check`.execute(db);
    if (broken.length > 0) throw new Error('Rows refer to others that do not exist');
    await sql`commit`.execute(db);
  } catch (error) {
    await sql`rollback`.execute(db);
    throw error;
  } finally {
    await sql`pragma foreign_keys = on`.execute(db);
  }
}

function listConstraints({ key, isKeyMade, unique, parent, keepsEvaluation }: OwnedTable) {
  const keyed = isKeyMade ? sql.join(key.map((name) => sql.ref(name))) : columns(key);
  return [
    sql`primary key (${keyed})`,
    ...(unique === undefined ? [] : [sql`unique (${columns([unique])})`]),
    ...(parent ? [reference(parent)] : []),
    ...(keepsEvaluation ? [sql`foreign key (evaluation_id) references evaluation (id)`] : []),
  ];
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

async function listColumns(db: Kysely<unknown>, table: string): Promise<readonly Column[]> {
  const { rows } = await sql<Column>`
    select name, type, "notnull", pk from pragma_table_info(${table}) order by cid`.execute(db);
  return rows;
}

async function rebuild(db: Kysely<unknown>, table: string, owned: OwnedTable): Promise<void> {
  const { rows: indexes } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master
    where type = 'index' and sql is not null and tbl_name = ${table}`.execute(db);
  const found = await listColumns(db, table);
  const defined = found.map(({ name, type, notnull, pk }) =>
    notnull === 1 || pk > 0
      ? sql`${sql.ref(name)} ${sql.raw(type)} not null`
      : sql`${sql.ref(name)} ${sql.raw(type)}`,
  );
  const parts = [...defined, sql`tenant text not null`, ...listConstraints(owned)];
  const fresh = `${table}_of_tenants`;
  const names = sql.join(found.map(({ name }) => sql.ref(name)));
  await sql`create table ${sql.table(fresh)} (${sql.join(parts)})`.execute(db);
  await sql`insert into ${sql.table(fresh)} (${names}, tenant) select ${names}, ${sql.lit(localTenant)} from ${sql.table(table)}`.execute(
    db,
  );
  await sql`drop table ${sql.table(table)}`.execute(db);
  await sql`alter table ${sql.table(fresh)} rename to ${sql.table(table)}`.execute(db);
  for (const index of indexes) {
    const own = ownIndexes[index.name];
    if (own) await createIndex(db, index.name, own);
    else await sql.raw(index.sql).execute(db);
  }
}

async function createIndex(
  db: Kysely<unknown>,
  name: string,
  [table, ...indexed]: readonly [string, ...string[]],
): Promise<void> {
  await sql`create index ${sql.ref(name)} on ${sql.table(table)} (${columns(indexed)})`.execute(db);
}

function columns(own: readonly string[]) {
  return sql.join(['tenant', ...own].map((name) => sql.ref(name)));
}

function reference({ column, table, cascade }: NonNullable<OwnedTable['parent']>) {
  const key = sql`foreign key (tenant, ${sql.ref(column)}) references ${sql.table(table)} (tenant, name)`;
  return cascade ? sql`${key} on delete cascade` : key;
}

/** Notes who made evaluations and versions of question sets. Nobody knows it of those that are there. */
export async function addAuthors(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema.alterTable('evaluation').addColumn('created_by', text).execute();
  await db.schema.alterTable('question_set_version').addColumn('created_by', text).execute();
}

/** Which tenants were here before. */
export async function createKnownTenantTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('known_tenant')
    .addColumn('tenant', text, (column) => column.primaryKey())
    .addColumn('since', text, (column) => column.notNull())
    .execute();
}
