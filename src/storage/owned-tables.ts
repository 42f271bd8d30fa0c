/**
 * The tables whose rows belong to a tenant by a column of their own. Rows of the others hang on an
 * evaluation or a draft, whose row is one of these; they are reached by its id alone.
 */
export const ownedTables: ReadonlySet<string> = new Set([
  'question_set',
  'question_set_version',
  'question',
  'corpus',
  'corpus_document',
  'search_configuration',
  'run',
  'run_ranking',
  'draft',
  'evaluation',
  'baseline',
  'schedule',
  'schedule_tick',
  'job_run',
  'alert_target',
  'alert_event',
  'outbox',
  'price_table',
  'known_tenant',
  'audit_entry',
]);
