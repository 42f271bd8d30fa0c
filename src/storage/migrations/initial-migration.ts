import type { Kysely } from 'kysely';

import { textFor } from './text-column.ts';

/** What the first version of the service stored. */
export async function createInitialTables(db: Kysely<unknown>): Promise<void> {
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
