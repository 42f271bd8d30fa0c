import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

import { AppError } from '../errors.ts';
import { createAuditTable } from './audit-migration.ts';
import type { Database } from './database.ts';
import { createDraftTables } from './draft-migration.ts';
import { createCorrelationTable } from './correlations.ts';
import { createDiagnosisSearchTable, createPriceTable } from './funnel-migration.ts';
import { createNightlyTables } from './nightly-migration.ts';
import {
  addAuthors,
  createKnownTenantTable,
  givePricesToTenants,
  giveRowsToTenants,
} from './tenant-migration.ts';
import { addPipelineTrace } from './pipeline-migration.ts';
import { textFor } from './text-column.ts';

/**
 * Brings the schema up to date. Safe when several processes start together: the migrator takes a lock. Throws
 * `conflict` when a newer version of the service has been here.
 */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // What is developed side by side does not land in the order of its names.
    allowUnorderedMigrations: true,
  });
  await refuseNewerSchema(db);
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw new Error('The database schema could not be brought up to date', { cause: error });
  }
}

/** What the schema lacks: an older state of the database was restored under a running service. */
export async function listMissingMigrations(db: Database): Promise<readonly string[]> {
  const done = new Set(await listDone(db));
  return Object.keys(migrations).filter((name) => !done.has(name));
}

async function refuseNewerSchema(db: Database): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return;
  const unknown = (await listDone(db)).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  const message = `The database is of a newer version of the service: this one does not know ${unknown.join(', ')}. Deploy that version, or restore a backup from before it`;
  throw new AppError('conflict', message);
}

async function listDone(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return rows.map(({ name }) => name);
}

/** By name, in the order in which they run. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': { up: createInitialTables },
  '0002-outcome-notes': { up: addOutcomeNotes },
  '0010-evaluation-batches': { up: createBatchTables },
  '0020-baselines': { up: createBaselineTable },
  '0020-gates': { up: createGateDecisionTable },
  '0020-trends': { up: createNightDifferenceTable },
  '0030-nightly': { up: createNightlyTables },
  '0040-tenants': { up: giveRowsToTenants },
  '0041-authors': { up: addAuthors },
  '0042-known-tenants': { up: createKnownTenantTable },
  '0045-audit': { up: createAuditTable },
  '0050-pipelines': { up: addPipelineTrace },
  '0041-correlations': { up: createCorrelationTable },
  '0060-prices': { up: createPriceTable },
  '0060-searches-for-diagnosis': { up: createDiagnosisSearchTable },
  '0065-price-owners': { up: givePricesToTenants },
  '0070-drafts': { up: createDraftTables },
};

async function createInitialTables(db: Kysely<unknown>): Promise<void> {
  await createQuestionSetTables(db);
  await createSearchTables(db);
  await createEvaluationTables(db);
  await createOutcomeTables(db);
}

async function createQuestionSetTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('question_set')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('description', text)
    .addColumn('latest_version', 'integer', (column) => column.notNull())
    .addColumn('deleted_through', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('question_set_version')
    .addColumn('question_set', text, (column) => column.notNull().references('question_set.name'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('questions', 'integer', (column) => column.notNull())
    .addColumn('judgments', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('question_set_version_key', ['question_set', 'version'])
    .execute();
  await db.schema
    .createTable('question')
    .addColumn('question_set', text, (column) => column.notNull().references('question_set.name'))
    .addColumn('question_id', text, (column) => column.notNull())
    .addColumn('from_version', 'integer', (column) => column.notNull())
    .addColumn('until_version', 'integer')
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('split', text)
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('question_key', ['question_set', 'question_id', 'from_version'])
    .execute();
  await db.schema
    .createIndex('question_by_position')
    .on('question')
    .columns(['question_set', 'position', 'from_version'])
    .execute();
}

async function createSearchTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('corpus')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('documents', 'integer', (column) => column.notNull())
    .addColumn('lexicon', text)
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('corpus_document')
    .addColumn('corpus', text, (column) =>
      column.notNull().references('corpus.name').onDelete('cascade'),
    )
    .addColumn('document_id', text, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('corpus_document_key', ['corpus', 'document_id'])
    .execute();
  await db.schema
    .createIndex('corpus_document_by_position')
    .on('corpus_document')
    .columns(['corpus', 'position'])
    .execute();
  await db.schema
    .createTable('search_configuration')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('run')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('questions', 'integer', (column) => column.notNull())
    .addColumn('hits', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('run_ranking')
    .addColumn('run', text, (column) => column.notNull().references('run.name').onDelete('cascade'))
    .addColumn('question_id', text, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('hits', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('run_ranking_key', ['run', 'question_id'])
    .execute();
}

async function createEvaluationTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('evaluation')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('label', text)
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('question_set', text, (column) => column.notNull().references('question_set.name'))
    .addColumn('question_set_version', 'integer', (column) => column.notNull())
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('plan', text, (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('rescore_of', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('started_at', text)
    .addColumn('finished_at', text)
    .addColumn('scorecard', text)
    .addColumn('error', text)
    .addColumn('idempotency_key', text, (column) => column.unique())
    .addColumn('request_hash', text)
    .execute();
  await db.schema
    .createIndex('evaluation_by_time')
    .on('evaluation')
    .columns(['created_at', 'id'])
    .execute();
  await db.schema
    .createIndex('evaluation_by_question_set')
    .on('evaluation')
    .columns(['question_set', 'status'])
    .execute();
}

async function createOutcomeTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('evaluation_configuration')
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('backend', text, (column) => column.notNull())
    .addColumn('body', text, (column) => column.notNull())
    .addColumn('input_kind', text)
    .addColumn('input_name', text)
    .addColumn('input_hash', text)
    .addPrimaryKeyConstraint('evaluation_configuration_key', ['evaluation_id', 'position'])
    .execute();
  await db.schema
    .createTable('outcome')
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('configuration', 'integer', (column) => column.notNull())
    .addColumn('question', 'integer', (column) => column.notNull())
    .addColumn('question_id', text, (column) => column.notNull())
    .addColumn('error_code', text)
    .addColumn('error_detail', text)
    .addColumn('hits', text)
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('latency_ms', 'double precision', (column) => column.notNull())
    .addColumn('pairs_reranked', 'integer', (column) => column.notNull())
    .addColumn('model_calls', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('outcome_key', ['evaluation_id', 'configuration', 'question'])
    .execute();
}

async function addOutcomeNotes(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  // SQLite adds one column at a time.
  await db.schema.alterTable('outcome').addColumn('error_request_id', text).execute();
  await db.schema.alterTable('outcome').addColumn('notes', text).execute();
}

async function createBaselineTable(db: Kysely<unknown>): Promise<void> {
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

async function createGateDecisionTable(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('gate_decision')
    .addColumn('evaluation_id', text, (column) =>
      column.primaryKey().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('body', text, (column) => column.notNull())
    .execute();
}

async function createNightDifferenceTable(db: Kysely<unknown>): Promise<void> {
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

async function createBatchTables(db: Kysely<unknown>): Promise<void> {
  const text = textFor(db);
  await db.schema
    .createTable('evaluation_batch')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('configuration', 'integer')
    .addColumn('first_question', 'integer', (column) => column.notNull())
    .addColumn('last_question', 'integer', (column) => column.notNull())
    .addColumn('owner', text)
    .addColumn('claimed_until', 'timestamptz')
    .execute();
  await db.schema
    .createIndex('evaluation_batch_by_evaluation')
    .on('evaluation_batch')
    .column('evaluation_id')
    .execute();
  await db.schema
    .createIndex('evaluation_batch_by_owner')
    .on('evaluation_batch')
    .column('owner')
    .execute();
  await db.schema
    .createTable('search_pace')
    .addColumn('evaluation_id', text, (column) =>
      column.notNull().references('evaluation.id').onDelete('cascade'),
    )
    .addColumn('slice', 'integer', (column) => column.notNull())
    .addColumn('searches', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_pace_key', ['evaluation_id', 'slice'])
    .execute();
  // Failures are few: without this, counting them would read every stored ranking.
  await sql`create index outcome_failure on outcome (evaluation_id) where error_code is not null`.execute(
    db,
  );
}
