/** The tables whose rows belong to a tenant by their column `tenant`. The database handle adds it to every query. */
export const ownedTables: ReadonlySet<string> = new Set([
  'question_set',
  'question_set_version',
  'question',
  'sitting',
  'sitting_verdict',
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
  'allowance',
]);

/** The tables whose rows belong to a row of an owned table, by the column that holds its id. They are read by that id only. */
export const dependentTables: Readonly<Record<string, string>> = {
  configuration_refusal: 'evaluation_id',
  diagnosis_search: 'evaluation_id',
  draft_part: 'draft',
  evaluation_batch: 'evaluation_id',
  evaluation_configuration: 'evaluation_id',
  evaluation_correlation: 'evaluation_id',
  gate_decision: 'evaluation_id',
  night_difference: 'evaluation_id',
  outcome: 'evaluation_id',
  score_block: 'evaluation_id',
  search_pace: 'evaluation_id',
  work_in_hand: 'evaluation_id',
};

/** The tables that all tenants share on purpose. */
export const sharedTables: readonly string[] = [];
