import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';

import { noIntegrations } from '../../src/jobs/delivery/integrations.ts';
import { createOperator } from '../helpers/allowances.ts';
import { createTestApp } from '../helpers/app.ts';
import { ask, send } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';
import { evaluateRanks, rankedQuestions } from '../helpers/runs.ts';
import { createTestSignIn, zoneA } from '../helpers/tokens.ts';

/** Three bodies that differ; `evaluation` is one with the configurations `one` and `two`. */
interface Resource {
  readonly url: string;
  readonly type?: string;
  readonly bodies: (evaluation: string) => readonly unknown[];
}

const question = (text: string) => ({ questions: [{ id: 'q1', text, relevant: { P1: 1 } }] });
const document = (text: string) => ({ documents: [{ id: 'P1', title: 't', paragraphs: [text] }] });
const run = (documentId: string) => ({ rankings: { q1: [{ documentId }] } });
const search = (depth: number) => ({ backend: 'run', run: 'r', depth });
const schedule = (cron: string) => ({
  cron,
  timeZone: 'UTC',
  evaluation: { questionSet: 's', configurations: [{ name: 'r', backend: 'run', run: 'r' }] },
});
const webhook = (path: string) => ({
  type: 'webhook',
  url: `https://hooks.example.com/${path}`,
  secret: 'made-up-secret-of-a-webhook',
});
const prices = (perSearch: number) => ({ currency: 'EUR', perSearch });

const resources: Readonly<Record<string, Resource>> = {
  'question set': {
    url: '/v1/question-sets/x',
    bodies: () => [question('one'), question('other'), question('third')],
  },
  'description of a question set': {
    url: '/v1/question-sets/x',
    bodies: () => ['a', 'b', 'c'].map((description) => ({ description, ...question('one') })),
  },
  qrels: {
    url: '/v1/question-sets/s/qrels',
    type: 'text/plain',
    bodies: () => ['A', 'B', 'C'].map((id) => `${rankedQuestions(1)[0]?.id} 0 ${id} 1\n`),
  },
  corpus: {
    url: '/v1/corpora/x',
    bodies: () => [document('one'), document('other'), document('third')],
  },
  run: { url: '/v1/runs/x', bodies: () => [run('a'), run('b'), run('c')] },
  'search configuration': {
    url: '/v1/search-configurations/x',
    bodies: () => [search(5), search(6), search(7)],
  },
  schedule: {
    url: '/v1/schedules/x',
    bodies: () => [schedule('0 1 * * *'), schedule('0 2 * * *'), schedule('0 3 * * *')],
  },
  baseline: {
    url: '/v1/baselines/x',
    bodies: (evaluation) =>
      ['one', 'two', 'one'].map((configuration) => ({ evaluation, configuration })),
  },
  'alert target': {
    url: '/v1/alert-targets/x',
    bodies: () => [webhook('a'), webhook('b'), webhook('c')],
  },
  'price table': { url: '/v1/prices', bodies: () => [prices(1), prices(2), prices(3)] },
};

describe.each(databaseKinds)('the ETag on %s', (kind) => {
  let app: FastifyInstance;
  let evaluation: string;
  beforeEach(async () => {
    const databaseUrl = await createDatabase(kind);
    const targetPolicy = { hosts: ['hooks.example.com'], allowLoopback: false };
    app = await createTestApp({ databaseUrl, integrations: { ...noIntegrations, targetPolicy } });
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions: rankedQuestions(3) } });
    evaluation = (await evaluateRanks(app, { one: [1, 1, 1], two: [2, 2, 2] })).id;
  });

  it.each(Object.keys(resources))(
    'of a %s is what If-Match accepts, whether a GET or a PUT answered it',
    async (name) => {
      const { url, type = 'application/json', bodies } = resources[name] as Resource;
      const [first, other, third] = bodies(evaluation);
      const put = (body: unknown, headers = {}) => send(app, 'PUT', url, { body, type, headers });
      const made = await put(first);
      const read = await app.inject(url);
      const changed = await put(other, { 'if-match': read.headers['etag'] });
      const same = await put(other, { 'if-match': changed.headers['etag'] });
      const again = await put(third, { 'if-match': same.headers['etag'] });
      const late = await put(first, { 'if-match': made.headers['etag'] });
      const last = await app.inject(url);

      const answers = [made, read, changed, same, again];
      expect(answers.map(({ statusCode }) => statusCode < 300)).toEqual(answers.map(() => true));
      expect(late.statusCode).toBe(412);
      expect(late.headers['etag']).toBeUndefined();
      expect(stateOf(same)).toBe(stateOf(changed));
      expect(stateOf(last)).toBe(stateOf(again));
      expect(new Set([made, changed, again].map(stateOf)).size).toBe(3);
    },
  );

  it('is not in answers that name no state of a resource', async () => {
    const body = question('one');
    const preview = await send(app, 'PUT', '/v1/question-sets/x?preview=true', { body });
    const refused = await send(app, 'PUT', '/v1/question-sets/x', { body: { questions: 1 } });
    const verdict = { questionId: rankedQuestions(1)[0]?.id, documentId: 'A', grade: 1 };
    const judged = await send(app, 'POST', '/v1/question-sets/s/judgments', {
      body: { judge: 'anna', judgments: [verdict] },
    });

    expect([preview, refused, judged].map(({ statusCode }) => statusCode)).toEqual([200, 400, 201]);
    expect([preview, refused, judged].map(({ headers }) => headers['etag'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('of a list of allowances is what If-Match accepts', async () => {
    const signIn = await createTestSignIn();
    const provider = await createTestApp({ databaseUrl: await createDatabase(kind), signIn });
    const operator = await createOperator(provider);
    const url = `/v1/tenants/${zoneA}/allowances`;
    const put = (group: string, headers = {}) => {
      const access = [{ resourceGroups: [`group-${group}`], models: [], deployments: [] }];
      return operator({ method: 'PUT', url, payload: { access }, headers });
    };
    const absent = await put('a', { 'if-match': '*' });
    const made = await put('a', { 'if-none-match': '*' });
    const read = await operator({ url });
    const changed = await put('b', { 'if-match': read.headers['etag'] });
    const again = await put('c', { 'if-match': changed.headers['etag'] });
    const late = await put('d', { 'if-match': made.headers['etag'] });
    const drop = (tag: unknown) =>
      operator({ method: 'DELETE', url, headers: { 'if-match': String(tag) } });
    const [stale, gone] = [await drop(made.headers['etag']), await drop(again.headers['etag'])];

    const statuses = [absent, made, changed, again, late, stale, gone].map((a) => a.statusCode);
    expect(statuses).toEqual([412, 201, 200, 200, 412, 412, 204]);
  });
});

/** What comes before the dot, which `If-Match` compares. */
function stateOf({ headers }: { readonly headers: object }): string | undefined {
  const tag = 'etag' in headers ? String(headers.etag) : '';
  return /^"([^".]+)/.exec(tag)?.[1];
}
