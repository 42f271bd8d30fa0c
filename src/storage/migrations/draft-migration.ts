import { sql, type Kysely } from 'kysely';

import { textFor } from './text-column.ts';

/** Tables for what is written before anybody sees it. Rankings stored before become a revision that bears their run's name. */
export async function createDraftTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('draft')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('tenant', text, (column) => column.notNull())
    .addColumn('question_set', text)
    .addColumn('touched_at', text, (column) => column.notNull())
    .addColumn('is_dropped', 'integer', (column) => column.notNull())
    .addUniqueConstraint('draft_question_set_key', ['tenant', 'question_set'])
    .execute();
  await db.schema
    .createTable('draft_part')
    .addColumn('draft', text, (column) => column.notNull().references('draft.id'))
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('draft_part_key', ['draft', 'bucket', 'part'])
    .execute();
  await addRevisions(db);
}

async function addRevisions(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .alterTable('run')
    .addColumn('revision', text, (column) => column.notNull().defaultTo(''))
    .execute();
  // No name has a slash, so that nothing else ever gets this id.
  await sql`update run set revision = tenant || '/' || name`.execute(db);
  await db.schema.alterTable('run_ranking').renameTo('run_ranking_before').execute();
  // Without a reference to the run: a revision is older than the run that it becomes.
  await db.schema
    .createTable('run_ranking')
    .addColumn('tenant', text, (column) => column.notNull())
    .addColumn('revision', text, (column) => column.notNull())
    .addColumn('question_id', text, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('hits', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('run_ranking_revision_key', ['tenant', 'revision', 'question_id'])
    .execute();
  await sql`
    insert into run_ranking (tenant, revision, question_id, position, hits)
    select tenant, tenant || '/' || run, question_id, position, hits from run_ranking_before
  `.execute(db);
  await db.schema.dropTable('run_ranking_before').execute();
  await db.schema
    .createIndex('run_ranking_by_position')
    .on('run_ranking')
    .columns(['tenant', 'revision', 'position'])
    .execute();
}
