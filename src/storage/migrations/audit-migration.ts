import { sql, type Kysely } from 'kysely';

import { isOnPostgres } from '../database/start-lock.ts';
import { textFor } from './text-column.ts';

/** Who changed what, and triggers that keep it as it was written. */
export async function createAuditTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('audit_entry')
    .addColumn('id', 'integer', (column) =>
      isOnPostgres(db)
        ? column.generatedAlwaysAsIdentity().primaryKey()
        : column.primaryKey().autoIncrement(),
    )
    .addColumn('tenant', text, (column) => column.notNull())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('actor', text)
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('before_hash', text)
    .addColumn('after_hash', text)
    .execute();
  await db.schema
    .createIndex('audit_entry_by_tenant')
    .on('audit_entry')
    .columns(['tenant', 'id'])
    .execute();
  await (isOnPostgres(db) ? guardOnPostgres(db) : guardOnSqlite(db));
}

async function guardOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function refuse_change_of_audit_entry() returns trigger language plpgsql as $$
    begin
      raise exception 'audit entries are neither changed nor deleted';
    end $$`.execute(db);
  await sql`
    create trigger audit_entry_stays before update or delete or truncate on audit_entry
    for each statement execute function refuse_change_of_audit_entry()`.execute(db);
}

async function guardOnSqlite(db: Kysely<unknown>): Promise<void> {
  for (const change of ['update', 'delete']) {
    await sql`
      create trigger ${sql.ref(`audit_entry_stays_on_${change}`)} before ${sql.raw(change)} on audit_entry
      begin
        select raise(abort, 'audit entries are neither changed nor deleted');
      end`.execute(db);
  }
}
