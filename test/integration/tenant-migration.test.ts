import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it, onTestFinished } from 'vitest';

import { openDatabase, type Database } from '../../src/storage/database/database.ts';
import { migrate, migrations } from '../../src/storage/migrations/migrations.ts';
import { isOnPostgres } from '../../src/storage/database/start-lock.ts';
import { findImportedHits } from '../../src/storage/catalog/runs.ts';
import { acrossTenants, scopeToTenant } from '../../src/storage/database/tenant-scope.ts';
import { createEmptyDatabase, databaseKinds, type DatabaseKind } from '../helpers/databases.ts';

/** One row of every table, as a service before tenants left it. */
const rowsBefore = [
  `insert into question_set values ('s', 'about pumps', 1, 0)`,
  `insert into question_set_version values ('s', 1, 'hash', 1, 1, 't')`,
  `insert into question (question_set, question_id, from_version, position, content_hash, body) values ('s', 'q1', 1, 0, 'hash', '{}')`,
  `insert into corpus values ('c', 'hash', 1, null, 't')`,
  `insert into corpus_document values ('c', 'd1', 0, '{"id":"d1"}')`,
  `insert into search_configuration values ('f', '{}', 't')`,
  `insert into run values ('r', 'hash', 1, 1, 't')`,
  `insert into run_ranking values ('r', 'q1', 0, '[]')`,
  `insert into evaluation (id, status, question_set, question_set_version, content_hash, plan, total, created_at, idempotency_key) values ('e', 'succeeded', 's', 1, 'hash', '{}', 1, 't', 'key')`,
  `insert into evaluation_configuration (evaluation_id, position, name, backend, body) values ('e', 0, 'f', 'local', '{}')`,
  `insert into outcome (evaluation_id, configuration, question, question_id, attempts, latency_ms, pairs_reranked, model_calls) values ('e', 0, 0, 'q1', 1, 1, 0, 0)`,
  `insert into baseline values ('main', 'e', 'f', 't')`,
  `insert into schedule (name, cron, time_zone, evaluation, enabled, updated_at) values ('nightly', '0 1 * * *', 'UTC', '{}', 1, 't')`,
  `insert into schedule_tick (schedule, tick_at, status, claimed_at, evaluation_id) values ('nightly', 't', 'started', 't', 'e')`,
  `insert into job_run (run_id, job_id, schedule_id, evaluation_id, created_at) values ('1', '2', '3', 'e', 't')`,
  `insert into alert_target values ('ops', '{}', 't')`,
  `insert into alert_event values ('gate-failed/e', '{}', 't')`,
  `insert into outbox (id, kind, payload, status, attempts, created_at, next_attempt_at) values ('alert/1', 'alert', '{}', 'sent', 1, 't', 't')`,
];

const owned = [
  'question_set',
  'question_set_version',
  'question',
  'corpus',
  'corpus_document',
  'search_configuration',
  'run',
  'run_ranking',
  'evaluation',
  'baseline',
  'schedule',
  'schedule_tick',
  'job_run',
  'alert_target',
  'alert_event',
  'outbox',
] as const;

describe.each(databaseKinds)('the migration to tenants on %s', (kind) => {
  it('gives every row that was there to the tenant of a service without sign-in', async () => {
    const db = await migrateWithRows(kind);

    const counts = async (tenant: string) =>
      Promise.all(owned.map((table) => countRows(scopeToTenant(db, tenant), table)));
    expect(await counts('local')).toEqual(owned.map(() => 1));
    expect(await counts('other')).toEqual(owned.map(() => 0));
    expect(await countRows(db, 'outcome')).toBe(1);
    expect(await countRows(db, 'evaluation_configuration')).toBe(1);
    expect(await findImportedHits(scopeToTenant(db, 'local'), 'r', 'q1')).toEqual([]);
  });

  it('lets tenants use the same names and keys, and keeps what hangs together', async () => {
    const db = await migrateWithRows(kind);
    const other = scopeToTenant(db, 'other');
    const set = { name: 's', description: null, latest_version: 1, deleted_through: 0 };
    await other.insertInto('question_set').values(set).execute();
    const corpus = { name: 'c', content_hash: 'h', documents: 0, lexicon: null, updated_at: 't' };
    await other.insertInto('corpus').values(corpus).execute();
    const document = { corpus: 'c', document_id: 'd1', position: 0, body: '{}' };
    await other.insertInto('corpus_document').values(document).execute();
    await scopeToTenant(db, 'local').deleteFrom('corpus').execute();

    const left = await acrossTenants(db).selectFrom('corpus_document').select('tenant').execute();
    const orphan = { corpus: 'unknown', document_id: 'd1', position: 0, body: '{}' };
    expect(left).toEqual([{ tenant: 'other' }]);
    await expect(other.insertInto('corpus_document').values(orphan).execute()).rejects.toThrow(
      /foreign key/i,
    );
  });

  it('takes what hangs on an evaluation away with it, as before', async () => {
    const db = scopeToTenant(await migrateWithRows(kind), 'local');
    await expect(db.deleteFrom('evaluation').execute()).rejects.toThrow(/foreign key/i);
    await db.deleteFrom('baseline').execute();
    await db.deleteFrom('evaluation').execute();

    expect(await countRows(db, 'outcome')).toBe(0);
  });

  it('keeps every index', async () => {
    const before = await openOnce(kind);
    await migratorOf(before).migrateTo('0030-nightly');
    const names = await listIndexes(before);
    await migratorOf(before).migrateTo('0040-tenants');

    expect(names).toHaveLength(13);
    expect(await listIndexes(before)).toEqual(expect.arrayContaining([...names]));
  });
});

it.each(databaseKinds)('prices that %s held belong to the tenant without sign-in', async (kind) => {
  const db = await openOnce(kind);
  await migratorOf(db).migrateTo('0060-prices');
  await sql`insert into price_table values (1, 'hash', 't', '{}')`.execute(db);
  await migrate(db);
  const row = { version: 1, content_hash: 'h', created_at: 't', body: '{}' };
  await scopeToTenant(db, 'other').insertInto('price_table').values(row).execute();
  const rows = await acrossTenants(db)
    .selectFrom('price_table')
    .orderBy('tenant')
    .select(['tenant', 'content_hash'])
    .execute();

  expect(rows).toEqual([
    { tenant: 'local', content_hash: 'hash' },
    { tenant: 'other', content_hash: 'h' },
  ]);
});

it('on SQLite runs again unharmed when the process died before it was noted', async () => {
  const db = await migrateWithRows('sqlite');
  await migrations['0040-tenants']?.up(db as never);
  await migrations['0065-price-owners']?.up(db as never);

  expect(await countRows(scopeToTenant(db, 'local'), 'question')).toBe(1);
});

it('on SQLite changes nothing when rows refer to nothing', async () => {
  const db = await openOnce('sqlite');
  await migratorOf(db).migrateTo('0030-nightly');
  await sql`pragma foreign_keys = off`.execute(db);
  await sql`insert into run_ranking values ('unknown', 'q1', 0, '[]')`.execute(db);

  await expect(migrate(db)).rejects.toThrow('could not be brought up to date');
  const { rows } = await sql`select * from run_ranking`.execute(db);
  expect(rows).toEqual([{ run: 'unknown', question_id: 'q1', position: 0, hits: '[]' }]);
});

async function migrateWithRows(kind: DatabaseKind): Promise<Database> {
  const db = await openOnce(kind);
  await migratorOf(db).migrateTo('0030-nightly');
  for (const row of rowsBefore) await sql.raw(row).execute(db);
  await migrate(db);
  return db;
}

async function openOnce(kind: DatabaseKind): Promise<Database> {
  const db = openDatabase(await createEmptyDatabase(kind));
  onTestFinished(() => db.destroy());
  return db;
}

function migratorOf(db: Database): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } });
}

async function countRows(
  db: Database,
  table: (typeof owned)[number] | 'outcome' | 'evaluation_configuration',
): Promise<number> {
  const { count } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function listIndexes(db: Database): Promise<readonly string[]> {
  const query = isOnPostgres(db)
    ? sql<{
        name: string;
      }>`select indexname as name from pg_indexes where schemaname = 'public' and indexname not like '%key' and indexname not like '%_pkey' order by 1`
    : sql<{
        name: string;
      }>`select name from sqlite_master where type = 'index' and sql is not null order by 1`;
  return (await query.execute(db)).rows.map(({ name }) => name);
}
