import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AiCoreStub, startAiCoreStub } from 'grounding-eval-testing';
import { parseServiceKey } from '../../src/retrieval/ai-core/service-key.ts';
import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';

interface WarningAnswer {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly questions: number;
}

/** Six documents that no search for "pump" can tell apart. */
const documents = ['D1', 'D2', 'D3', 'D4', 'D5', 'D6'].map((id) => ({
  id,
  title: '',
  paragraphs: ['pump'],
  metadata: { plant: ['north'] },
}));
const five = ['a', 'b', 'c', 'd', 'e'];

let stub: AiCoreStub;
let service: TestService;
let app: FastifyInstance;
/** What the search over HTTP answers next. */
let found: readonly object[] = [];
const door = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ hits: found }));
});

beforeAll(async () => {
  stub = await startAiCoreStub({ corpus: documents });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  service = await startService({
    aiCore: {
      serviceKey: parseServiceKey(stub.serviceKey),
      concurrency: 4,
      timeoutMs: 5000,
      attempts: 1,
    },
    httpEndpoints: new Map([['door', { url, headers: {}, tenants: ['*'] }]]),
  });
  app = service.app;
  await ask(app, 'PUT', '/v1/corpora/pumps', { body: { documents } });
  await putSet('same', () => ({ relevant: { D3: 1 } }));
  await putSet('other-case', () => ({ relevant: { d3: 1 } }));
  await putSet('other-ids', () => ({ relevant: { 'uuid-1': 1 } }));
  await putSet('first', () => ({ relevant: { D1: 1 } }));
  // Equal scores of a run are in falling order of ids, as in trec_eval.
  await putSet('last', () => ({ relevant: { D6: 1 } }));
  await putSet('nothing', () => ({ relevant: { D3: 0 } }));
  await putSet('unlabelled', (id) => (id === 'a' ? {} : { relevant: { D3: 1 } }));
  const history = [{ role: 'user', text: 'what is a pump' }];
  await putSet('follow-up', () => ({ relevant: { D3: 1 }, history }));
  await ask(app, 'PUT', '/v1/runs/all', { body: toRun(everything) });
  await ask(app, 'PUT', '/v1/runs/none', { body: toRun([]) });
  await ask(app, 'PUT', '/v1/runs/rising', { body: toRun(rising) });
});
afterAll(async () => {
  await service.close();
  await stub.close();
  door.close();
});

const everything = documents.map(({ id }) => ({ documentId: id, score: 1 }));
const rising = documents.map(({ id }, index) => ({ documentId: id, score: index }));

const toRun = (hits: readonly object[]) => ({
  rankings: Object.fromEntries(five.map((id) => [id, hits])),
});

async function putSet(name: string, more: (id: string) => object): Promise<void> {
  const questions = five.map((id) => ({ id, text: 'pump', ...more(id) }));
  await ask(app, 'PUT', `/v1/question-sets/${name}`, { body: { questions } });
}

const toFilters = (conditions?: readonly object[]) => [
  {
    id: 'f',
    searchConfiguration: { maxChunkCount: 50 },
    ...(conditions && { documentMetadata: conditions }),
  },
];
const documentId = { from: 'documentMetadata', key: 'docId' };
const grounded = { resourceGroup: 'default', documentId, filters: toFilters() };
const backends = {
  local: { backend: 'local', corpus: 'pumps', method: 'bm25' },
  aicore: { backend: 'aicore', ...grounded },
  orchestration: { backend: 'orchestration', model: 'gpt-4.1-mini', ...grounded },
  http: {
    backend: 'http',
    endpoint: 'door',
    path: '/search',
    body: { query: { $value: 'question' } },
    answer: { hits: '/hits', documentId: '/documentId', score: '/score' },
  },
  run: { backend: 'run', run: 'all' },
} as const;
type BackendName = keyof typeof backends;
const all = Object.keys(backends) as BackendName[];

async function warningsOf(
  set: string,
  name: BackendName,
  {
    measures = ['RR', 'P@5'],
    hits = everything,
    ...more
  }: { measures?: string[]; hits?: readonly object[]; [field: string]: unknown } = {},
): Promise<readonly WarningAnswer[]> {
  found = hits;
  const configurations = [{ name, ...backends[name], ...more }];
  const { scorecard } = await evaluate(app, { questionSet: set, configurations, measures });
  return (scorecard[0]?.warnings ?? []) as readonly WarningAnswer[];
}

const codesOf = (warnings: readonly WarningAnswer[]) =>
  warnings.map(({ code, severity }) => `${severity} ${code}`);

describe.each(all)('warnings of the backend %s', (name) => {
  it('name ids that differ in case from all judged ones, first', async () => {
    const [first, ...others] = await warningsOf('other-case', name);

    expect(first).toMatchObject({
      code: 'no-judged-document-returned',
      severity: 'error',
      questions: 5,
      message: expect.stringContaining("'D3' for 'd3'"),
    });
    expect(codesOf(others)).not.toContain('warning low-judged');
  });

  it('show ids of both sides that have nothing in common', async () => {
    const [first] = await warningsOf('other-ids', name);

    expect(first).toMatchObject({ code: 'no-judged-document-returned', severity: 'error' });
    expect(first?.message).toMatch(/'a' returned 'D\d', 'D\d', 'D\d'.*, judged 'uuid-1'/);
  });

  it('say that most of what came back is unjudged', async () => {
    expect(codesOf(await warningsOf('same', name, { measures: ['P@5'] }))).toContain(
      'warning low-judged',
    );
  });

  it('say that no question has an error', async () => {
    const set = name === 'run' ? 'last' : 'first';

    expect(codesOf(await warningsOf(set, name))).toContain('note perfect-mean');
  });

  it('count questions without a relevant document and without a judgment', async () => {
    const [nothing, unlabelled] = [
      await warningsOf('nothing', name),
      await warningsOf('unlabelled', name),
    ];

    expect(nothing).toContainEqual(
      expect.objectContaining({ code: 'no-relevant-document', questions: 5 }),
    );
    expect(unlabelled).toContainEqual(
      expect.objectContaining({ code: 'unlabelled-questions', severity: 'note', questions: 1 }),
    );
  });

  it('name the cut-off that is deeper than what is kept', async () => {
    const warnings = await warningsOf('same', name, { depth: 3, measures: ['P@5'] });

    expect(codesOf(warnings)).toContain('warning depth-below-cutoff');
  });
});

describe('equal scores that decide a measure', () => {
  it.each(['local', 'aicore', 'http', 'run'] as const)('give a range: %s', async (name) => {
    const ties = (await warningsOf('same', name)).find(({ code }) => code === 'tied-scores');

    expect(ties?.message).toContain('RR from 0.1667 to 1.0000');
  });

  it('are not there where the answer has no scores', async () => {
    expect(codesOf(await warningsOf('same', 'orchestration'))).not.toContain('warning tied-scores');
  });
});

describe('a conversation that no stage reads', () => {
  it.each(['local', 'aicore', 'orchestration', 'http'] as const)('is named: %s', async (name) => {
    expect(codesOf(await warningsOf('follow-up', name))).toContain('warning unused-history');
  });

  const body = { query: { $value: 'question' }, messages: { $value: 'history' } };
  it.each<[string, BackendName, object]>([
    ['a run, whose search may have read it', 'run', {}],
    ['a request that sends it in its body', 'http', { body }],
    ['a request that sends it as a parameter', 'http', { query: { m: { $value: 'history' } } }],
  ])('is not named: %s', async (_case, name, more) => {
    expect(codesOf(await warningsOf('follow-up', name, { ...more }))).not.toContain(
      'warning unused-history',
    );
  });
});

describe('searches that found nothing', () => {
  const closed = { filters: toFilters([{ key: 'plant', value: ['west'] }]) };
  it.each<[BackendName, string, object]>([
    ['local', 'filter-passes-nothing', closed],
    ['aicore', 'filter-passes-nothing', closed],
    ['orchestration', 'nothing-returned', closed],
    ['http', 'nothing-returned', { hits: [] }],
    ['run', 'nothing-returned', { run: 'none' }],
  ])('have one cause, which stands alone: %s', async (name, code, more) => {
    expect(codesOf(await warningsOf('same', name, { ...more }))).toEqual([`error ${code}`]);
  });
});

describe('a misspelt key of a condition that ignores what lacks it', () => {
  const condition = { key: 'plnt', value: ['north'], selectMode: ['ignoreIfKeyAbsent'] };
  it.each(['local', 'aicore'] as const)('is named: %s', async (name) => {
    const warnings = await warningsOf('same', name, { filters: toFilters([condition]) });
    const named = warnings.find(({ code }) => code === 'unknown-filter-key');

    expect(named?.message).toContain('plnt');
    expect(named?.message).toContain('plant');
  });

  it('is not named where documents have the key', async () => {
    const filters = toFilters([{ ...condition, key: 'plant' }]);

    expect(codesOf(await warningsOf('same', 'aicore', { filters }))).not.toContain(
      'warning unknown-filter-key',
    );
  });
});

describe('scores that rise along the list', () => {
  it.each<[BackendName, object]>([
    ['http', { hits: rising }],
    ['run', { run: 'rising' }],
  ])('are named first: %s', async (name, more) => {
    const [first] = await warningsOf('same', name, { ...more });

    expect(first).toMatchObject({ code: 'rising-scores', severity: 'error', questions: 5 });
  });
});
