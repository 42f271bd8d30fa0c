import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

export async function createBaselineTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  // Without a cascade: the database itself keeps an evaluation that a baseline names.
  await db.schema
    .createTable('baseline')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('evaluation_id', text, (column) => column.notNull().references('evaluation.id'))
    .addColumn('configuration', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('baseline_by_evaluation')
    .on('baseline')
    .column('evaluation_id')
    .execute();
}

export async function createGateDecisionTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('gate_decision')
    .addColumn('evaluation_id', text, (column) =>
      column.primaryKey().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('body', text, (column) => column.notNull())
    .execute();
}

export async function createNightDifferenceTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  const key = ['evaluation_id', 'baseline_evaluation', 'configuration', 'measure'] as const;
  await db.schema
    .createTable('night_difference')
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('baseline_evaluation', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('configuration', text, (column) => column.notNull())
    .addColumn('measure', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('night_difference_key', [...key])
    .execute();
}
