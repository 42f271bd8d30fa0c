import type { Scope } from '../../model/scope.ts';

/** `open`: no sign-in is needed. A list: any of its scopes suffices. */
export type Access = Scope | 'open' | readonly [Scope, ...Scope[]];

/** What each operation needs. A route that is not here keeps the service from starting. */
export const accessByOperation: Readonly<Record<string, Access>> = {
  getLiveness: 'open',
  getReadiness: 'open',

  listMeasures: 'Read',
  getPrincipal: 'Read',
  loadSample: 'Evaluate',

  listQuestionSets: 'Read',
  getQuestionSet: 'Read',
  listQuestionSetVersions: 'Read',
  getQrels: 'Read',
  listJudgments: 'Read',
  putQuestionSet: 'Label',
  putQrels: 'Label',
  addJudgments: 'Label',
  openSitting: 'Label',
  getSitting: 'Label',
  addVerdicts: 'Label',
  closeSitting: 'Label',
  deleteQuestionSet: 'Admin',

  listCorpora: 'Read',
  getCorpus: 'Read',
  putCorpus: 'Label',
  deleteCorpus: 'Admin',

  listRuns: 'Read',
  getRun: 'Read',
  putRun: ['Label', 'Submit'],
  deleteRun: 'Label',

  listSearchConfigurations: 'Read',
  getSearchConfiguration: 'Read',
  putSearchConfiguration: 'Evaluate',
  deleteSearchConfiguration: 'Evaluate',
  listDataRepositories: 'Evaluate',
  searchOnce: 'Evaluate',

  getOwnAllowances: 'Read',
  getAllowances: 'Operate',
  putAllowances: 'Operate',
  deleteAllowances: 'Operate',

  listEvaluations: 'Read',
  getEvaluation: 'Read',
  watchEvaluation: 'Read',
  listQuestionResults: 'Read',
  getRankings: 'Read',
  getFoundDocument: 'Read',
  getRunOfEvaluation: 'Read',
  getReport: 'Read',
  getValidity: 'Read',
  getDepthCurve: 'Read',
  getScoreCurve: 'Read',
  getPareto: 'Read',
  getDiagnosis: 'Read',
  getAblation: 'Read',
  listTopDocuments: 'Read',
  // It names documents that a user's conditions hide.
  listLosses: 'Evaluate',
  createEvaluation: ['Evaluate', 'Submit'],
  rescoreEvaluation: 'Evaluate',
  retryFailedQuestions: 'Evaluate',
  cancelEvaluation: 'Evaluate',
  deleteEvaluation: 'Evaluate',

  compareRuns: 'Read',
  planPower: 'Read',
  buildPool: 'Read',
  listTrends: 'Read',

  listBaselines: 'Read',
  getBaseline: 'Read',
  putBaseline: 'Evaluate',
  deleteBaseline: 'Evaluate',

  getPrices: 'Read',
  putPrices: 'Admin',

  listAuditEntries: 'Admin',

  listSchedules: 'Read',
  getSchedule: 'Read',
  putSchedule: 'Admin',
  deleteSchedule: 'Admin',
  startJobRun: 'JOBSCHEDULER',

  listAlertTargets: 'Admin',
  getAlertTarget: 'Admin',
  putAlertTarget: 'Admin',
  deleteAlertTarget: 'Admin',
};

/**
 * What a scope brings along. Nothing brings Submit, because the others suffice for what it allows, JOBSCHEDULER, which is for the Job Scheduling Service alone, nor
 * Operate, which concerns other tenants than the own one.
 */
const broughtBy: Readonly<Record<Scope, readonly Scope[]>> = {
  Read: [],
  Submit: [],
  Evaluate: ['Read'],
  Label: ['Read'],
  Admin: ['Read', 'Evaluate', 'Label'],
  JOBSCHEDULER: [],
  Operate: [],
};

export const scopeDescriptions: Readonly<Record<Scope, string>> = {
  Read: 'Read everything of the own tenant',
  Submit: 'Import runs and start evaluations',
  Evaluate: 'Create search configurations, evaluations and baselines',
  Label: 'Write question sets, judgments, corpora and runs',
  Admin: 'Manage schedules and alert targets, delete question sets and corpora, read the audit log',
  JOBSCHEDULER: 'Start evaluations as SAP Job Scheduling Service',
  Operate: 'Define what each tenant may use of SAP AI Core',
};

/** The scopes any of which an operation needs. */
export function listScopes(access: Exclude<Access, 'open'>): readonly Scope[] {
  return typeof access === 'string' ? [access] : access;
}

/** What a principal may do who was granted these scopes. */
export function expandScopes(granted: readonly Scope[]): ReadonlySet<Scope> {
  return new Set(granted.flatMap((scope) => [scope, ...broughtBy[scope]]));
}
