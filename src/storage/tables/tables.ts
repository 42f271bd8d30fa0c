import type { GeneratedAlways } from 'kysely';

import type {
  DiagnosisSearchTable,
  ConfigurationRefusalTable,
  EvaluationBatchTable,
  EvaluationConfigurationTable,
  EvaluationCorrelationTable,
  EvaluationTable,
  OutcomeTable,
  ScoreBlockTable,
  SearchPaceTable,
  WorkInHandTable,
} from './evaluation-tables.ts';
import type { BaselineTable, GateDecisionTable, NightDifferenceTable } from './gate-tables.ts';
import type {
  AlertEventTable,
  AlertTargetTable,
  JobRunTable,
  OutboxTable,
  ScheduleTable,
  ScheduleTickTable,
} from './nightly-tables.ts';
import type {
  QuestionSetTable,
  QuestionSetVersionTable,
  QuestionTable,
  SittingTable,
  SittingVerdictTable,
} from './question-tables.ts';
import type {
  CorpusDocumentTable,
  CorpusTable,
  DraftPartTable,
  DraftTable,
  RunRankingTable,
  RunTable,
  SearchConfigurationTable,
} from './search-tables.ts';

/** The schema as Kysely sees it. Migrations are the schema as the database sees it. */
export interface Tables {
  question_set: Owned<QuestionSetTable>;
  question_set_version: Owned<QuestionSetVersionTable>;
  question: Owned<QuestionTable>;
  sitting: Owned<SittingTable>;
  sitting_verdict: Owned<SittingVerdictTable>;
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
  configuration_refusal: ConfigurationRefusalTable;
  evaluation_correlation: EvaluationCorrelationTable;
  score_block: ScoreBlockTable;
  search_pace: SearchPaceTable;
  work_in_hand: WorkInHandTable;
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
  allowance: Owned<AllowanceTable>;
}

/** One row a tenant at most. */
interface AllowanceTable {
  /** JSON: AllowedAccess[]. */
  body: string;
  updated_at: string;
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

export interface PriceTableTable {
  version: number;
  content_hash: string;
  created_at: string;
  /** JSON: Prices. */
  body: string;
}

/** A tenant that was here before, and so has got the sample. */
export interface KnownTenantTable {
  since: string;
}
