import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

/** Schedules, runs of the Job Scheduling Service, alerts, and the outbox through which both speak. */
export async function createNightlyTables(db: Kysely<unknown>): Promise<void> {
  await createOutboxTable(db);
  await createScheduleTables(db);
  await createAlertTables(db);
}

async function createOutboxTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('outbox')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('target', text)
    .addColumn('payload', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('next_attempt_at', text, (column) => column.notNull())
    .addColumn('finished_at', text)
    .addColumn('last_error', text)
    .execute();
  await db.schema
    .createIndex('outbox_by_status')
    .on('outbox')
    .columns(['status', 'next_attempt_at'])
    .execute();
}

async function createScheduleTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('schedule')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('cron', text, (column) => column.notNull())
    .addColumn('time_zone', text, (column) => column.notNull())
    .addColumn('evaluation', text, (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('notify', text)
    .addColumn('next_at', text)
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('schedule_tick')
    .addColumn('schedule', text, (column) =>
      column.notNull().references('schedule.name').onDelete('cascade'),
    )
    .addColumn('tick_at', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('evaluation', text)
    .addColumn('claimed_at', text, (column) => column.notNull())
    .addColumn('evaluation_id', text)
    .addColumn('error', text)
    .addPrimaryKeyConstraint('schedule_tick_key', ['schedule', 'tick_at'])
    .execute();
  await db.schema
    .createIndex('schedule_tick_by_status')
    .on('schedule_tick')
    .columns(['status', 'claimed_at'])
    .execute();
  await db.schema
    .createIndex('schedule_tick_by_evaluation')
    .on('schedule_tick')
    .column('evaluation_id')
    .execute();
  await db.schema
    .createTable('job_run')
    .addColumn('run_id', text, (column) => column.primaryKey())
    .addColumn('job_id', text, (column) => column.notNull())
    .addColumn('schedule_id', text, (column) => column.notNull())
    .addColumn('evaluation_id', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('reported_at', text)
    .execute();
  await db.schema.createIndex('job_run_by_report').on('job_run').column('reported_at').execute();
}

async function createAlertTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('alert_target')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('alert_event')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('occurred_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('evaluation_by_end')
    .on('evaluation')
    .columns(['status', 'finished_at'])
    .execute();
}
