import type { BackendName } from '../../model/search-configuration.ts';
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
  /** User, client or schedule; null: no authentication. */
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
  backend: BackendName;
  /** JSON: the configuration as it was when the evaluation was made. */
  body: string;
  /** The corpus or run that is searched; it cannot be changed meanwhile. */
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

/** What scoring found about some questions of a configuration. Derived: made again from the outcomes where it is missing. */
export interface ScoreBlockTable {
  evaluation_id: string;
  configuration: number;
  block: number;
  form: number;
  /** JSON: ScoreBlock. */
  body: string;
}

/** The request that set the work on an evaluation off. */
export interface EvaluationCorrelationTable {
  evaluation_id: string;
  correlation_id: string;
}

/** A part of an evaluation that is still to be done. One instance at a time has it. */
export interface ConfigurationRefusalTable {
  evaluation_id: string;
  configuration: number;
  /** Identical ones in a row. */
  refusals: number;
  detail: string | null;
  /** 1: a search was answered with something other than a refusal. */
  is_proven: number;
  /** Who makes the one search that is made until then. */
  pilot: string | null;
  /** Milliseconds since 1970; a string on PostgreSQL, where it is only compared. */
  pilot_until: number;
}

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

/** Work that a process began and did not end yet, or died of. */
export interface WorkInHandTable {
  evaluation_id: string;
  /** `evaluation`, or the id of a batch. */
  part: string;
  /** How often it was begun since its last progress. */
  begun: number;
  /** How many outcomes there were at the last beginning. */
  progress: number;
}

/** How many outcomes were stored in a slice of time. */
export interface SearchPaceTable {
  evaluation_id: string;
  slice: number;
  searches: number;
}

/** What a search returns without the conditions of the question's user. */
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
