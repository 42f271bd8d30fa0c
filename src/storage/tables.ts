import type { GeneratedAlways } from 'kysely';

/** The schema as Kysely sees it. Migrations are the schema as the database sees it. */
export interface Tables {
  question_set: Owned<QuestionSetTable>;
  question_set_version: Owned<QuestionSetVersionTable>;
  question: Owned<QuestionTable>;
  corpus: Owned<CorpusTable>;
  corpus_document: Owned<CorpusDocumentTable>;
  search_configuration: Owned<SearchConfigurationTable>;
  run: Owned<RunTable>;
  run_ranking: Owned<RunRankingTable>;
  draft: Owned<DraftTable>;
  draft_part: DraftPartTable;
  evaluation: Owned<EvaluationTable>;
  evaluation_configuration: EvaluationConfigurationTable;
  outcome: OutcomeTable;
  baseline: Owned<BaselineTable>;
  gate_decision: GateDecisionTable;
  night_difference: NightDifferenceTable;
  evaluation_batch: EvaluationBatchTable;
  evaluation_correlation: EvaluationCorrelationTable;
  search_pace: SearchPaceTable;
  outbox: Owned<OutboxTable>;
  schedule: Owned<ScheduleTable>;
  schedule_tick: Owned<ScheduleTickTable>;
  job_run: Owned<JobRunTable>;
  alert_target: Owned<AlertTargetTable>;
  alert_event: Owned<AlertEventTable>;
  price_table: Owned<PriceTableTable>;
  known_tenant: Owned<KnownTenantTable>;
  diagnosis_search: DiagnosisSearchTable;
  audit_entry: Owned<AuditEntryTable>;
}

interface AuditEntryTable {
  id: GeneratedAlways<number>;
  at: string;
  actor: string | null;
  action: string;
  kind: string;
  name: string;
  before_hash: string | null;
  after_hash: string | null;
}

/** Rows that tenants own. The column is written by `scopeToTenant` alone. */
type Owned<Table> = Table & { tenant: GeneratedAlways<string> };

export interface QuestionSetTable {
  name: string;
  description: string | null;
  latest_version: number;
  /** Versions up to this one were deleted; evaluations may still read them. 0: none was. */
  deleted_through: number;
}

export interface QuestionSetVersionTable {
  question_set: string;
  version: number;
  content_hash: string;
  questions: number;
  judgments: number;
  created_at: string;
  /** User or client; null: nobody signed in. */
  created_by: string | null;
}

/** A question as it stands from one version on, until another. A version is never copied: it is a cut through these rows. */
export interface QuestionTable {
  question_set: string;
  question_id: string;
  from_version: number;
  /** The first version that has it no more, or has it otherwise; null: none. */
  until_version: number | null;
  position: number;
  split: string | null;
  content_hash: string;
  /** JSON: Question. */
  body: string;
}

export interface CorpusTable {
  name: string;
  content_hash: string;
  documents: number;
  /** JSON: Lexicon, or null. */
  lexicon: string | null;
  updated_at: string;
}

export interface CorpusDocumentTable {
  corpus: string;
  document_id: string;
  position: number;
  /** JSON: CorpusDocument. */
  body: string;
}

export interface SearchConfigurationTable {
  name: string;
  /** JSON: the configuration without its name. */
  body: string;
  updated_at: string;
}

export interface RunTable {
  name: string;
  content_hash: string;
  questions: number;
  hits: number;
  created_at: string;
  /** Whose rankings are the run's. */
  revision: string;
}

export interface RunRankingTable {
  /** A run has one revision; one that no run names belongs to the draft of that id. */
  revision: string;
  question_id: string;
  position: number;
  /** JSON: [documentId, score | null][]. */
  hits: string;
}

/** What is being written, or is to be removed. Nobody sees it: its parts, its rankings, and its set's next version. */
export interface DraftTable {
  id: string;
  /** The question set whose next version it writes. Nobody else writes one meanwhile. */
  question_set: string | null;
  /** When it was last written to. */
  touched_at: string;
  /** 0 or 1: it is given up, and being removed. */
  is_dropped: number;
}

/** Entries of a body as they came, spread over buckets by question. */
export interface DraftPartTable {
  draft: string;
  bucket: number;
  part: number;
  /** JSON: see `stageEntries`. */
  body: string;
}

export interface EvaluationTable {
  id: string;
  label: string | null;
  status: string;
  question_set: string;
  question_set_version: number;
  content_hash: string;
  /** JSON: EvaluationPlan. */
  plan: string;
  /** How many outcomes there will be: questions times configurations. */
  total: number;
  /** The evaluation whose rankings were scored again, when this one searches nothing. */
  rescore_of: string | null;
  created_at: string;
  /** User, client or schedule; null: nobody signed in. */
  created_by: string | null;
  started_at: string | null;
  finished_at: string | null;
  /** JSON: ScorecardRow[]. */
  scorecard: string | null;
  /** JSON: { code, detail }. */
  error: string | null;
  idempotency_key: string | null;
  request_hash: string | null;
}

export interface EvaluationConfigurationTable {
  evaluation_id: string;
  position: number;
  name: string;
  backend: string;
  /** JSON: the configuration as it was when the evaluation was made. */
  body: string;
  /** The corpus or run that is searched, so that nobody changes it under the evaluation. */
  input_kind: string | null;
  input_name: string | null;
  input_hash: string | null;
}

/** What one search of one question brought back. Rankings are stored; measures are derived from them. */
export interface OutcomeTable {
  evaluation_id: string;
  configuration: number;
  question: number;
  question_id: string;
  error_code: string | null;
  error_detail: string | null;
  /** What the other side calls the request that failed. */
  error_request_id: string | null;
  /** JSON: [documentId | null, score | null, chunkId | null, chunks?][]; null for a failed search. */
  hits: string | null;
  /** JSON: how the answer was read, or null. */
  notes: string | null;
  /** JSON: StoredTrace, or null. */
  trace: string | null;
  /** Null: older than the count. */
  searches: number | null;
  attempts: number;
  latency_ms: number;
  pairs_reranked: number;
  model_calls: number;
  prompt_tokens: number;
  completion_tokens: number;
}

/** A run that later ones are held against, by name. */
export interface BaselineTable {
  name: string;
  evaluation_id: string;
  /** The name of a configuration of that evaluation. */
  configuration: string;
  created_at: string;
}

export interface GateDecisionTable {
  evaluation_id: string;
  /** JSON: GateDecision. */
  body: string;
}

/** What a night's differences to a baseline were when they were last read off the rankings. */
export interface NightDifferenceTable {
  evaluation_id: string;
  baseline_evaluation: string;
  /** The name that the configuration has on both sides. */
  configuration: string;
  measure: string;
  /** When both ended: an evaluation that went on since makes the entry stale. */
  state: string;
  /** JSON: NightDifferences. */
  body: string;
}

/** The request that set the work on an evaluation off. */
export interface EvaluationCorrelationTable {
  evaluation_id: string;
  correlation_id: string;
}

/** A part of an evaluation that is still to be done. One instance at a time has it. */
export interface EvaluationBatchTable {
  id: string;
  evaluation_id: string;
  /** null: the batch that scores, when all others are gone. */
  configuration: number | null;
  first_question: number;
  last_question: number;
  /** The instance that works on it. */
  owner: string | null;
  /** By the database's clock. */
  claimed_until: string | null;
}

/** How many outcomes were stored in a slice of time. */
export interface SearchPaceTable {
  evaluation_id: string;
  slice: number;
  searches: number;
}

/** A message that must leave the service. What it is called is what it says, so nothing is said twice. */
export interface OutboxTable {
  id: string;
  kind: string;
  /** The alert target it goes to; null: what the kind says. */
  target: string | null;
  /** JSON: by kind. */
  payload: string;
  status: string;
  attempts: number;
  created_at: string;
  /** When it is tried next; while an instance sends it, when others may take it over. */
  next_attempt_at: string;
  finished_at: string | null;
  last_error: string | null;
}

export interface ScheduleTable {
  name: string;
  cron: string;
  time_zone: string;
  /** JSON: EvaluationRequest. */
  evaluation: string;
  /** 0 or 1. */
  enabled: number;
  /** JSON: names of alert targets; null: all. */
  notify: string | null;
  /** The first tick that nobody took yet; null while the schedule is disabled. */
  next_at: string | null;
  updated_at: string;
}

export interface ScheduleTickTable {
  schedule: string;
  tick_at: string;
  status: string;
  /** JSON: what to evaluate, as the schedule said it at the tick; null when the tick is done. */
  evaluation: string | null;
  claimed_at: string;
  evaluation_id: string | null;
  /** JSON: { code, detail }. */
  error: string | null;
}

/** A run of SAP's Job Scheduling Service, which waits for one update. */
export interface JobRunTable {
  run_id: string;
  job_id: string;
  schedule_id: string;
  evaluation_id: string;
  created_at: string;
  /** When its update went into the outbox; null: its evaluation has not ended. */
  reported_at: string | null;
}

export interface AlertTargetTable {
  name: string;
  /** JSON: AlertTarget, secret included. */
  body: string;
  updated_at: string;
}

/** Everything that was told, so that it is told once. */
export interface AlertEventTable {
  id: string;
  /** JSON: AlertEvent. */
  body: string;
  occurred_at: string;
}

export interface PriceTableTable {
  version: number;
  content_hash: string;
  created_at: string;
  /** JSON: Prices. */
  body: string;
}

/** What a search brings back without the conditions of the question's user. */
export interface DiagnosisSearchTable {
  evaluation_id: string;
  /** Hash of what is searched, without the stages around it. */
  search: string;
  question: number;
  question_id: string;
  /** JSON: DocumentId[]; null: the search failed. */
  document_ids: string | null;
  attempts: number;
}

/** A tenant that was here before, and so has got the sample. */
export interface KnownTenantTable {
  since: string;
}
