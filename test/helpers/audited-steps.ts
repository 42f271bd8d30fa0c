import type { FastifyInstance } from 'fastify';

import { ask, type Answer } from './client.ts';
import { bm25, hybrid, pumpDocuments, pumpQuestions } from './fixtures.ts';
import type { SteeredSearches } from './steered-searches.ts';

export interface Entry {
  readonly id: number;
  readonly at: string;
  readonly actor: string | null;
  readonly action: string;
  readonly kind: string;
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface Page {
  readonly items: readonly Entry[];
  readonly nextCursor: string | null;
}

export const secret = 'sixteen characters';
export const scheduler = 'https://scheduler.example.com';
export const evaluationRequest = {
  questionSet: 'pumps',
  configurations: ['bm25'],
  measures: ['RR'],
};
const sitting = '0b6b4d0e-6f3e-4d5c-9a35-0e8b3a5f7c11';
const judgments = [{ questionId: 'q1', documentId: 'P3', grade: 1, note: 'says it' }];

export interface Step {
  readonly operation: string;
  readonly method: 'PUT' | 'POST' | 'DELETE';
  /** Below /v1/. */
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly entries: readonly string[];
  /** What searches do from here on. */
  readonly searches?: 'fail' | 'hold' | 'answer';
}

/** One change by each operation, in an order in which each can succeed. `ID` is the evaluation that was made last. */
export const steps: readonly Step[] = [
  put('putQuestionSet', 'question-sets/pumps', { questions: pumpQuestions }, 'create question-set'),
  put('putQuestionSet', 'question-sets/pumps', { questions: pumpQuestions }),
  put(
    'putQuestionSet',
    'question-sets/pumps',
    { description: 'about pumps', questions: pumpQuestions },
    'change question-set',
  ),
  post('addJudgments', 'question-sets/pumps/judgments', 'judge question-set', {
    body: { judge: 'jo', judgments },
  }),
  {
    ...put('putQrels', 'question-sets/pumps/qrels', 'q1 0 P2 1', 'change question-set'),
    type: 'text/plain',
  },
  put('putCorpus', 'corpora/pumps', { documents: pumpDocuments }, 'create corpus'),
  put('putCorpus', 'corpora/pumps', { documents: pumpDocuments }),
  put('putCorpus', 'corpora/pumps', { documents: pumpDocuments.slice(1) }, 'change corpus'),
  put('putRun', 'runs/pumps', { rankings: { q1: [{ documentId: 'P1' }] } }, 'create run'),
  put('putSearchConfiguration', 'search-configurations/bm25', bm25, 'create search-configuration'),
  put('putSearchConfiguration', 'search-configurations/bm25', bm25),
  put(
    'putSearchConfiguration',
    'search-configurations/bm25',
    hybrid,
    'change search-configuration',
  ),
  put('openSitting', `question-sets/pumps/sittings/${sitting}`, { judge: 'jo' }),
  post('addVerdicts', `question-sets/pumps/sittings/${sitting}/verdicts`, undefined, {
    body: { verdicts: [{ questionId: 'q1', documentId: 'P1', grade: 1 }] },
  }),
  post('closeSitting', `question-sets/pumps/sittings/${sitting}/close`, 'judge question-set'),
  post('closeSitting', `question-sets/pumps/sittings/${sitting}/close`),
  put('putPrices', 'prices', { currency: 'EUR', perSearch: 0.01 }, 'create prices'),
  put('putPrices', 'prices', { currency: 'EUR', perSearch: 0.01 }),
  put(
    'putAlertTarget',
    'alert-targets/ops',
    { type: 'webhook', url: 'https://hooks.example.com/x', secret },
    'create alert-target',
  ),
  put(
    'putSchedule',
    'schedules/nightly',
    { cron: '15 2 * * *', timeZone: 'UTC', evaluation: evaluationRequest },
    'create schedule',
  ),
  post('createEvaluation', 'eval?dryRun=true', undefined, { body: evaluationRequest }),
  post('createEvaluation', 'eval', 'create evaluation', {
    body: evaluationRequest,
    headers: { prefer: 'wait=30', 'idempotency-key': 'once' },
  }),
  post('createEvaluation', 'eval', undefined, {
    body: evaluationRequest,
    headers: { prefer: 'wait=30', 'idempotency-key': 'once' },
  }),
  put(
    'putBaseline',
    'baselines/main',
    { evaluation: 'ID', configuration: 'bm25' },
    'create baseline',
  ),
  remove('deleteBaseline', 'baselines/main', 'baseline'),
  post('rescoreEvaluation', 'eval/ID/rescore', 'create evaluation', {
    headers: { prefer: 'wait=30' },
  }),
  post('createEvaluation', 'eval', 'create evaluation', {
    body: evaluationRequest,
    headers: { prefer: 'wait=30' },
    searches: 'fail',
  }),
  post('retryFailedQuestions', 'eval/ID/retry-failed', 'retry evaluation', {
    headers: { prefer: 'wait=30' },
    searches: 'answer',
  }),
  remove('deleteEvaluation', 'eval/ID', 'evaluation'),
  post('startJobRun', 'jobs/eval', 'create evaluation', {
    body: evaluationRequest,
    headers: {
      'x-sap-job-id': '1',
      'x-sap-job-schedule-id': '2',
      'x-sap-job-run-id': '3',
      'x-sap-scheduler-host': scheduler,
    },
    searches: 'hold',
  }),
  post('cancelEvaluation', 'eval/ID/cancel', 'cancel evaluation'),
  post('cancelEvaluation', 'eval/ID/cancel'),
  remove('deleteSchedule', 'schedules/nightly', 'schedule'),
  remove('deleteAlertTarget', 'alert-targets/ops', 'alert-target'),
  remove('deleteSearchConfiguration', 'search-configurations/bm25', 'search-configuration'),
  remove('deleteRun', 'runs/pumps', 'run'),
  remove('deleteCorpus', 'corpora/pumps', 'corpus'),
  remove('deleteQuestionSet', 'question-sets/pumps', 'question-set'),
];

export function listEntries(app: FastifyInstance, query = '', authorization = ''): Promise<Page> {
  return ask<Page>(app, 'GET', `/v1/audit${query}`, { headers: { authorization } });
}

/** Does one step after the other, and tells for each whether it succeeded and what the audit then has on top. */
export async function takeSteps(
  app: FastifyInstance,
  taken: readonly Step[],
  searches?: SteeredSearches,
): Promise<readonly (readonly string[])[]> {
  const told: string[][] = [];
  let last = 0;
  let evaluation = 'none';
  for (const step of taken) {
    if (step.searches) searches?.steer(step.searches);
    const answer = await takeStep(app, step, evaluation);
    const { items } = await listEntries(app);
    const entries = items.filter(({ id }) => id > last).toReversed();
    last = Math.max(last, ...entries.map(({ id }) => id));
    evaluation = entries.findLast(isNewEvaluation)?.name ?? evaluation;
    const outcome = answer.statusCode < 300 ? 'done' : answer.body;
    told.push([step.operation, outcome, ...entries.map(({ action, kind }) => `${action} ${kind}`)]);
  }
  return told;
}

function isNewEvaluation({ action, kind }: Entry): boolean {
  return action === 'create' && kind === 'evaluation';
}

function takeStep(app: FastifyInstance, step: Step, evaluation: string): Promise<Answer> {
  const { method, path, body, type = 'application/json', headers = {} } = step;
  const url = `/v1/${path.replace('ID', evaluation)}`;
  if (body === undefined) return app.inject({ method, url, headers });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const payload = text.replaceAll('"ID"', JSON.stringify(evaluation));
  return app.inject({ method, url, headers: { ...headers, 'content-type': type }, payload });
}

function put(operation: string, path: string, body: unknown, ...entries: readonly string[]): Step {
  return { operation, method: 'PUT', path, body, entries };
}

function post(
  operation: string,
  path: string,
  entry?: string,
  more: Pick<Step, 'body' | 'headers' | 'searches'> = {},
): Step {
  return { ...more, operation, method: 'POST', path, entries: entry === undefined ? [] : [entry] };
}

function remove(operation: string, path: string, kind: string): Step {
  return { operation, method: 'DELETE', path, entries: [`delete ${kind}`] };
}
