import { describe, expect, it, onTestFinished } from 'vitest';

import {
  makeToken,
  type Reply,
  type SeenRequest,
  startAiCoreServer,
} from '../helpers/aicore-server.ts';
import { createDatabase } from '../helpers/databases.ts';
import { waitFor } from '../helpers/poll.ts';
import { type ServerProcess, startServer } from '../helpers/server-process.ts';

/** What nobody may read in a log above debug. */
const texts = {
  question: 'planted-question about a salary',
  title: 'planted-title of a document',
  chunk: 'planted-chunk with a name in it',
  note: 'planted-note of a judge',
  broken: 'planted-text in a broken body',
};

/** What nobody may read in any log. */
const secrets = {
  clientSecret: 'planted-client-secret',
  webhookSecret: 'planted-webhook-secret',
  webhookPath: 'planted-webhook-path',
  bearer: 'planted-bearer-token',
  metricsToken: 'planted-metrics-token',
  cookie: 'planted-cookie',
};

describe.each(['info', 'debug'])('the log of a whole run at level %s', (level) => {
  it('holds no text above debug, and no secret at all', async () => {
    const aiCore = await startFailingAiCore();
    const key = { ...aiCore.key, clientsecret: secrets.clientSecret };
    const server = await startServer({
      LOG_LEVEL: level,
      DATABASE_URL: await createDatabase('sqlite'),
      AICORE_SERVICE_KEY: JSON.stringify(key),
      ALERT_ALLOW_LOOPBACK: 'true',
      METRICS_TOKEN: secrets.metricsToken,
      SEARCH_ATTEMPTS: '2',
      SEARCH_TIMEOUT_MS: '300',
    });
    const statuses = await workThrough(server);
    server.child.kill('SIGTERM');
    await waitFor(() => server.child.exitCode !== null);
    const logged = [...server.lines, ...server.faults];
    const aboveDebug = logged.filter((line) => !isDebug(line));
    const tokens = Array.from({ length: 20 }, (_, count) => makeToken(count + 1));

    expect(statuses).toEqual([201, 201, 200, 200, 200, 201, 200, 400, 400, 404, 406]);
    expect(aiCore.searches.length).toBeGreaterThan(6);
    expect(aboveDebug.length).toBeGreaterThan(20);
    expect(aboveDebug.filter((line) => line.includes('planted-'))).toEqual([]);
    expect(logged.filter((line) => holdsAny(line, Object.values(secrets)))).toEqual([]);
    expect(logged.filter((line) => holdsAny(line, tokens))).toEqual([]);
  });
});

/** Answers in each of the ways in which an answer can be wrong, and repeats the question in it. */
async function startFailingAiCore() {
  let count = 0;
  const onSearch = (request: SeenRequest): Reply => {
    count += 1;
    return wrongAnswers[count % wrongAnswers.length]!(request.body);
  };
  const server = await startAiCoreServer({ onSearch });
  onTestFinished(server.close);
  return server;
}

const wrongAnswers: readonly ((asked: string) => Reply)[] = [
  () => ({ body: makeAnswer() }),
  (asked) => ({
    status: 400,
    body: { error: { message: `cannot read ${asked}`, details: [asked] } },
  }),
  (asked) => ({ status: 500, body: `<html>${asked}</html>` }),
  (asked) => ({ status: 200, body: `no JSON: ${asked}` }),
  (asked) => ({ body: { results: [{ filterId: 'f', error: { message: `failed: ${asked}` } }] } }),
  () => 'reset',
  () => 'hang',
  (asked) => ({ status: 200, body: { results: [{ asked }] }, cutAt: 20 }),
  (asked) => ({ status: 403, body: { message: asked } }),
];

function makeAnswer(): object {
  const chunk = {
    id: 'c1',
    content: texts.chunk,
    metadata: [{ key: 'docId', value: ['D1'] }],
    searchScores: { aggregatedScore: { value: 1 } },
  };
  const repository = { id: 'r', title: 'r', documents: [{ id: 'd1', chunks: [chunk] }] };
  return { results: [{ filterId: 'f', results: [{ dataRepository: repository }] }] };
}

/** Everything that handles texts or secrets, well and badly; the statuses that came back. */
async function workThrough({ url }: ServerProcess): Promise<readonly number[]> {
  const send = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secrets.bearer}`,
        cookie: `session=${secrets.cookie}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    await answer.text();
    return answer.status;
  };
  const questions = Array.from({ length: 12 }, (_, index) => {
    return { id: `q${index}`, text: `${texts.question} ${index}`, relevant: { D1: 1 } };
  });
  const documents = [{ id: 'D1', title: texts.title, text: `${texts.question} ${texts.chunk}` }];
  const filters = [{ id: 'f', dataRepositoryType: 'vector', dataRepositories: ['*'] }];
  const documentId = { from: 'chunkMetadata', key: 'docId' };
  const aicore = { name: 'a', backend: 'aicore', resourceGroup: 'default', filters, documentId };
  const local = { name: 'l', backend: 'local', corpus: 'mine', method: 'hybrid' };
  const evaluation = { questionSet: 'mine', configurations: [local, aicore] };
  const wait = { prefer: 'wait=60' };
  const judgments = [{ questionId: 'q1', documentId: 'D1', grade: 2, note: texts.note }];
  const target = {
    type: 'webhook',
    url: `${url}/${secrets.webhookPath}`,
    secret: secrets.webhookSecret,
  };
  return [
    await send('PUT', '/v1/question-sets/mine', { questions }),
    await send('PUT', '/v1/corpora/mine', { documents }),
    await send('POST', '/v1/eval?dryRun=true', { ...evaluation, probe: true }),
    await send('POST', '/v1/eval', evaluation, wait),
    await send('POST', '/v1/eval', { ...evaluation, configurations: [local] }, wait),
    await send('PUT', '/v1/alert-targets/team', target),
    await send('POST', '/v1/question-sets/mine/judgments', { judge: 'm', judgments }).then(
      (status) => (status === 201 ? 200 : status),
    ),
    await send('PUT', '/v1/question-sets/mine', `{"questions": "${texts.broken}`),
    await send('POST', '/v1/eval', { ...evaluation, label: 7, [texts.broken]: texts.broken }),
    await send('GET', '/v1/nothing'),
    await send('GET', '/v1/question-sets/mine', undefined, { accept: texts.broken }),
  ];
}

function isDebug(line: string): boolean {
  const [, level] = /^\{"level":(\d+),/.exec(line) ?? [];
  return level !== undefined && Number(level) <= 20;
}

function holdsAny(line: string, words: readonly string[]): boolean {
  return words.some((word) => line.includes(word));
}
