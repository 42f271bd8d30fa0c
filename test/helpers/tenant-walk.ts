import type { InjectOptions } from 'fastify';

import { pumpDocuments, pumpLexicon, pumpQuestions } from './fixtures.ts';
import { zoneA } from './tokens.ts';

/** What one tenant has, as another one may learn or guess it. */
export interface Things {
  readonly set: string;
  readonly corpus: string;
  readonly run: string;
  readonly configuration: string;
  readonly baseline: string;
  readonly schedule: string;
  readonly target: string;
  readonly evaluation: string;
  readonly idempotencyKey: string;
  readonly jobRun: string;
  readonly cursor: string;
  /** Of AI Core. */
  readonly resourceGroup: string;
}

/** Names that begin alike and ids that are given. */
export function nameThings(prefix: string, evaluation: string): Things {
  return {
    set: `${prefix}-set`,
    corpus: `${prefix}-corpus`,
    run: `${prefix}-run`,
    configuration: `${prefix}-configuration`,
    baseline: `${prefix}-baseline`,
    schedule: `${prefix}-schedule`,
    target: `${prefix}-target`,
    evaluation,
    idempotencyKey: `${prefix}-key`,
    jobRun: `${prefix}-job-run`,
    // Before the stranger's own names.
    cursor: Buffer.from(`a-${prefix}`).toString('base64url'),
    resourceGroup: `${prefix}-group`,
  };
}

/** Stands in every text that a tenant stores, so that it is found wherever it comes out. */
export const secret = 'ACMESECRET';

export const schedulerHost = 'https://jobscheduler.example.test';
const webhook = { type: 'webhook', url: 'https://hooks.example.test/x', secret: 's'.repeat(32) };
const ranked = { q1: [{ documentId: 'P2' }], q2: [{ documentId: 'P1' }] };
const text = { 'content-type': 'text/plain' };
const lines = { 'content-type': 'application/x-ndjson' };

/** What every tenant has of its own: a set and runs. */
export const ownThings: readonly InjectOptions[] = [
  put('/v1/question-sets/own', { questions: pumpQuestions }),
  put('/v1/runs/own', { rankings: ranked }),
  put('/v1/runs/own-2', { rankings: { q1: [{ documentId: 'P3' }] } }),
];

const ownRuns = ['own', 'own-2'].map((run) => ({ name: run, backend: 'run', run }));
export const ownEvaluation = { questionSet: 'own', configurations: ownRuns, measures: ['RR'] };

/** Everything that a tenant can store, with the secret in every text; the evaluation comes apart. */
export function storeThings(things: Things): readonly InjectOptions[] {
  const { set, corpus, run, configuration, target, schedule } = things;
  const questions = pumpQuestions.map((question) => ({
    ...question,
    text: `${question.text} ${secret}`,
    tags: [secret],
  }));
  const documents = pumpDocuments.map((document) => ({ ...document, title: secret }));
  const lexicon = { ...pumpLexicon, stopwords: [...pumpLexicon.stopwords, secret.toLowerCase()] };
  const judgments = [{ questionId: 'q1', documentId: 'P1', grade: 1, note: secret }];
  return [
    put(`/v1/question-sets/${set}`, { description: secret, questions }),
    post(`/v1/question-sets/${set}/judgments`, { judgments }),
    put(`/v1/corpora/${corpus}`, { documents, lexicon }),
    put(`/v1/runs/${run}`, { rankings: { q1: [{ documentId: secret }], q2: [] } }),
    put(`/v1/search-configurations/${configuration}`, { backend: 'local', corpus, method: 'bm25' }),
    put(`/v1/alert-targets/${target}`, { ...webhook, url: `${webhook.url}/${secret}` }),
    put(`/v1/schedules/${schedule}`, {
      cron: '15 2 * * *',
      timeZone: 'UTC',
      notify: [target],
      evaluation: { questionSet: set, configurations: [configuration], label: secret },
    }),
    put('/v1/prices', { currency: 'XTS', models: { [secret]: modelPrice } }),
  ];
}

const modelPrice = { per1000PromptTokens: 1, per1000CompletionTokens: 1 };

/** The evaluation of things, whose configurations search a corpus and a run. */
export function evaluateThings({ set, configuration, run, idempotencyKey }: Things): InjectOptions {
  const configurations = [configuration, { name: 'r', backend: 'run', run }];
  const body = { questionSet: set, configurations, measures: ['RR'], label: secret };
  const headers = { prefer: 'wait=30', 'idempotency-key': idempotencyKey };
  return { ...post('/v1/eval', body), headers };
}

export function runJob({ jobRun }: Things, questionSet: string, run: string): InjectOptions {
  const configurations = [{ name: 'r', backend: 'run', run }];
  return {
    ...post('/v1/jobs/eval', { questionSet, configurations, measures: ['RR'] }),
    headers: {
      'x-sap-job-id': '1',
      'x-sap-job-schedule-id': '2',
      'x-sap-job-run-id': jobRun,
      'x-sap-scheduler-host': schedulerHost,
    },
  };
}

/** The same with a stored configuration. */
function searchByJob(things: Things, questionSet: string): InjectOptions {
  const other = { ...things, jobRun: `${things.jobRun}-2` };
  const payload = { questionSet, configurations: [things.configuration], measures: ['RR'] };
  return { ...runJob(other, questionSet, things.run), payload };
}

const sitting = '0b6b4d0e-6f3e-4d5c-9a35-0e8b3a5f7c11';
const allowancesOfA = `/v1/tenants/${zoneA}/allowances`;

/** What a stranger sends of each operation, with the things of another and an evaluation of its own. */
export const walk: Readonly<
  Record<string, (things: Things, own: string) => readonly InjectOptions[]>
> = {
  getLiveness: () => [get('/health/live')],
  getReadiness: () => [get('/health/ready')],
  listMeasures: () => [get('/v1/measures')],
  getPrincipal: () => [get('/v1/principal')],
  loadSample: () => [post('/v1/sample')],

  listQuestionSets: ({ cursor }) => listFrom('/v1/question-sets', cursor),
  getQuestionSet: ({ set }) => [
    get(`/v1/question-sets/${set}`),
    get(`/v1/question-sets/${set}?version=1`),
    { ...get(`/v1/question-sets/${set}`), headers: { accept: 'application/x-ndjson' } },
  ],
  listQuestionSetVersions: ({ set }) => [get(`/v1/question-sets/${set}/versions`)],
  getQrels: ({ set }) => [get(`/v1/question-sets/${set}/qrels`)],
  listJudgments: ({ set }) => [get(`/v1/question-sets/${set}/judgments`)],
  putQuestionSet: ({ set }) => [
    put(`/v1/question-sets/${set}`, { questions: pumpQuestions }),
    get(`/v1/question-sets/${set}`),
    get(`/v1/question-sets/${set}/versions`),
    get(`/v1/question-sets/${set}/judgments`),
    del(`/v1/question-sets/${set}`),
  ],
  putQrels: ({ set }) => [
    { method: 'PUT', url: `/v1/question-sets/${set}/qrels`, headers: text, payload: 'q1 0 P1 1\n' },
    {
      method: 'PUT',
      url: `/v1/question-sets/${set}/qrels?create=true`,
      headers: text,
      payload: 'q1 0 P1 1\n',
    },
    get(`/v1/question-sets/${set}`),
  ],
  addJudgments: ({ set }) => [
    post(`/v1/question-sets/${set}/judgments`, {
      judgments: [{ questionId: 'q1', documentId: 'P3', grade: 2 }],
    }),
  ],
  openSitting: ({ set }) => [put(`/v1/question-sets/${set}/sittings/${sitting}`, {})],
  getSitting: ({ set }) => [get(`/v1/question-sets/${set}/sittings/${sitting}`)],
  addVerdicts: ({ set }) => [
    post(`/v1/question-sets/${set}/sittings/${sitting}/verdicts`, {
      verdicts: [{ questionId: 'q1', documentId: 'P3', grade: 2 }],
    }),
  ],
  closeSitting: ({ set }) => [post(`/v1/question-sets/${set}/sittings/${sitting}/close`)],
  deleteQuestionSet: ({ set }) => [del(`/v1/question-sets/${set}`)],

  listCorpora: ({ cursor }) => listFrom('/v1/corpora', cursor),
  getCorpus: ({ corpus }) => [get(`/v1/corpora/${corpus}`)],
  putCorpus: ({ corpus }) => [
    {
      method: 'PUT',
      url: `/v1/corpora/${corpus}`,
      headers: lines,
      payload: pumpDocuments.map((document) => JSON.stringify(document)).join('\n'),
    },
    get(`/v1/corpora/${corpus}`),
  ],
  deleteCorpus: ({ corpus }) => [del(`/v1/corpora/${corpus}`)],

  listRuns: ({ cursor }) => listFrom('/v1/runs', cursor),
  getRun: ({ run }) => [get(`/v1/runs/${run}`)],
  putRun: ({ run }) => [
    put(`/v1/runs/${run}`, { rankings: { q9: [{ documentId: 'P1' }] } }),
    get(`/v1/runs/${run}`),
    del(`/v1/runs/${run}`),
  ],
  deleteRun: ({ run }) => [del(`/v1/runs/${run}`)],

  listSearchConfigurations: ({ cursor }) => listFrom('/v1/search-configurations', cursor),
  getSearchConfiguration: ({ configuration }) => [
    get(`/v1/search-configurations/${configuration}`),
  ],
  putSearchConfiguration: ({ configuration, corpus }) => [
    put(`/v1/search-configurations/${configuration}`, {
      backend: 'local',
      corpus,
      method: 'vector',
    }),
    get(`/v1/search-configurations/${configuration}`),
  ],
  deleteSearchConfiguration: ({ configuration }) => [
    del(`/v1/search-configurations/${configuration}`),
  ],
  listDataRepositories: ({ resourceGroup }) => [
    get('/v1/aicore/repositories?resourceGroup=default'),
    get(`/v1/aicore/repositories?resourceGroup=${resourceGroup}`),
  ],

  searchOnce: ({ configuration, corpus }) => [
    post('/v1/search', { configuration, text: 'pump' }),
    post('/v1/search', {
      configuration: { name: 'x', backend: 'local', corpus, method: 'bm25' },
      text: 'pump',
    }),
  ],

  getOwnAllowances: () => [get('/v1/allowances')],
  getAllowances: () => [get(allowancesOfA)],
  putAllowances: () => [put(allowancesOfA, { access: [{ resourceGroups: ['*'] }] })],
  deleteAllowances: () => [del(allowancesOfA)],

  listEvaluations: ({ evaluation }) =>
    listFrom(
      '/v1/eval',
      Buffer.from(`2099-01-01T00:00:00.000Z|${evaluation}`).toString('base64url'),
    ),
  getEvaluation: ({ evaluation }) => [get(`/v1/eval/${evaluation}`)],
  watchEvaluation: ({ evaluation }) => [
    get(`/v1/eval/${evaluation}/events`),
    { ...get(`/v1/eval/${evaluation}/events`), headers: { 'last-event-id': 'succeeded_4_0_-' } },
  ],
  listQuestionResults: ({ evaluation, configuration }) => [
    get(`/v1/eval/${evaluation}/questions?configuration=${configuration}`),
    get(`/v1/eval/${evaluation}/questions`),
  ],
  getRankings: ({ evaluation }) => [get(`/v1/eval/${evaluation}/rankings?question=q1`)],
  getFoundDocument: ({ evaluation }) => [get(`/v1/eval/${evaluation}/document?documentId=P1`)],
  getRunOfEvaluation: ({ evaluation, configuration }) => [
    get(`/v1/eval/${evaluation}/runs/${configuration}`),
  ],
  getReport: ({ evaluation }) =>
    ['markdown', 'html', 'csv', 'junit'].map((format) =>
      get(`/v1/eval/${evaluation}/report?format=${format}`),
    ),
  getValidity: ({ evaluation, configuration }) => [
    get(`/v1/eval/${evaluation}/validity?baseline=${configuration}`),
  ],
  getScoreCurve: ({ evaluation }) => [get(`/v1/eval/${evaluation}/score-curve`)],
  getDepthCurve: ({ evaluation }) => [get(`/v1/eval/${evaluation}/depth-curve`)],
  getPareto: ({ evaluation }) => [
    get(`/v1/eval/${evaluation}/pareto?measure=RR&against=latency`),
    get(`/v1/eval/${evaluation}/pareto?measure=RR`),
  ],
  getDiagnosis: ({ evaluation }) => [get(`/v1/eval/${evaluation}/diagnosis`)],
  listLosses: ({ evaluation, configuration }) => [
    get(`/v1/eval/${evaluation}/diagnosis/questions?configuration=${configuration}`),
  ],
  getAblation: ({ evaluation, configuration }) => [
    get(`/v1/eval/${evaluation}/ablation?configuration=${configuration}&measure=RR`),
  ],
  listTopDocuments: ({ evaluation, configuration }) => [
    get(`/v1/eval/${evaluation}/top-documents?configuration=${configuration}`),
  ],
  createEvaluation: ({ set, configuration, corpus, run, baseline, idempotencyKey }) => [
    post('/v1/eval', { ...ownEvaluation, questionSet: set }),
    post('/v1/eval', { ...ownEvaluation, questionSet: { name: set, version: 1 } }),
    post('/v1/eval', { ...ownEvaluation, configurations: [configuration] }),
    post('/v1/eval', {
      ...ownEvaluation,
      configurations: [{ name: 'x', backend: 'local', corpus, method: 'bm25' }],
    }),
    post('/v1/eval', { ...ownEvaluation, configurations: [{ name: 'x', backend: 'run', run }] }),
    post('/v1/eval', { ...ownEvaluation, gate: { baseline, measure: 'RR', maxDrop: 0.1 } }),
    post('/v1/eval?dryRun=true', { ...ownEvaluation, questionSet: set }),
    post('/v1/eval?dryRun=true', {
      ...ownEvaluation,
      configurations: [configuration],
      probe: true,
    }),
    {
      ...post('/v1/eval', ownEvaluation),
      headers: { prefer: 'wait=30', 'idempotency-key': idempotencyKey },
    },
  ],
  rescoreEvaluation: ({ evaluation }) => [post(`/v1/eval/${evaluation}/rescore`, {})],
  retryFailedQuestions: ({ evaluation }) => [post(`/v1/eval/${evaluation}/retry-failed`)],
  cancelEvaluation: ({ evaluation }) => [post(`/v1/eval/${evaluation}/cancel`)],
  deleteEvaluation: ({ evaluation }) => [del(`/v1/eval/${evaluation}`)],

  compareRuns: ({ evaluation, configuration }, own) => [
    post('/v1/compare', { evaluation, baseline: configuration, candidate: 'r', measure: 'RR' }),
    post('/v1/compare', {
      baseline: { evaluation: own, configuration: 'own' },
      candidate: { evaluation, configuration },
      measure: 'RR',
    }),
  ],
  planPower: ({ evaluation, configuration }) => [
    post('/v1/power', {
      difference: 0.1,
      evaluation,
      baseline: configuration,
      candidate: 'r',
      measure: 'RR',
    }),
  ],
  buildPool: ({ evaluation }, own) => [
    post('/v1/pool', { evaluation, depth: 3 }),
    post('/v1/pool', { evaluations: [own, evaluation], depth: 3 }),
  ],
  listTrends: ({ baseline }) => [get(`/v1/trends?baseline=${baseline}`)],

  listBaselines: ({ cursor }) => listFrom('/v1/baselines', cursor),
  getBaseline: ({ baseline }) => [get(`/v1/baselines/${baseline}`)],
  putBaseline: ({ baseline, evaluation, configuration }, own) => [
    put('/v1/baselines/mine', { evaluation, configuration }),
    put(`/v1/baselines/${baseline}`, { evaluation: own, configuration: 'own' }),
    del(`/v1/baselines/${baseline}`),
  ],
  deleteBaseline: ({ baseline }) => [del(`/v1/baselines/${baseline}`)],

  getPrices: () => [get('/v1/prices'), get('/v1/prices?version=1')],
  putPrices: () => [put('/v1/prices', { currency: 'EUR' }), get('/v1/prices?version=1')],

  listSchedules: ({ cursor }) => listFrom('/v1/schedules', cursor),
  getSchedule: ({ schedule }) => [get(`/v1/schedules/${schedule}`)],
  putSchedule: ({ schedule, set, target }) => [
    put(`/v1/schedules/${schedule}`, mySchedule({ notify: [target] })),
    put(`/v1/schedules/${schedule}`, mySchedule({ questionSet: set })),
    put(`/v1/schedules/${schedule}`, mySchedule({})),
    get(`/v1/schedules/${schedule}`),
    del(`/v1/schedules/${schedule}`),
  ],
  deleteSchedule: ({ schedule }) => [del(`/v1/schedules/${schedule}`)],
  startJobRun: (things) => [
    runJob(things, 'own', 'own'),
    runJob(things, things.set, 'own'),
    searchByJob(things, 'own'),
  ],

  listAuditEntries: ({ set }) => [
    ...listFrom('/v1/audit', Buffer.from('999999999').toString('base64url')),
    get(`/v1/audit?name=${set}`),
  ],
  listAlertTargets: ({ cursor }) => listFrom('/v1/alert-targets', cursor),
  getAlertTarget: ({ target }) => [get(`/v1/alert-targets/${target}`)],
  putAlertTarget: ({ target }) => [
    put(`/v1/alert-targets/${target}`, webhook),
    get(`/v1/alert-targets/${target}`),
    del(`/v1/alert-targets/${target}`),
  ],
  deleteAlertTarget: ({ target }) => [del(`/v1/alert-targets/${target}`)],
};

/** Everything of a tenant that can be read, to see whether it changed. */
export function readThings(things: Things): readonly InjectOptions[] {
  return Object.entries(walk).flatMap(([operation, requests]) =>
    /^(get|list)/.test(operation) ? requests(things, things.evaluation) : [],
  );
}

function mySchedule({
  notify,
  questionSet = 'own',
}: {
  readonly notify?: readonly string[];
  readonly questionSet?: string;
}): object {
  const evaluation = { ...ownEvaluation, questionSet };
  return { cron: '15 2 * * *', timeZone: 'UTC', evaluation, notify };
}

function listFrom(url: string, cursor: string): readonly InjectOptions[] {
  return [get(`${url}?limit=1000`), get(`${url}?cursor=${cursor}`)];
}

function get(url: string): InjectOptions {
  return { method: 'GET', url };
}

function del(url: string): InjectOptions {
  return { method: 'DELETE', url };
}

function put(url: string, payload: object): InjectOptions {
  return { method: 'PUT', url, payload };
}

function post(url: string, payload?: object): InjectOptions {
  return payload ? { method: 'POST', url, payload } : { method: 'POST', url };
}
