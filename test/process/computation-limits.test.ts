import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { createClient, type Client } from '../../scripts/demo/client.ts';
import {
  createComputations,
  type Computations,
} from '../../src/evaluation/computations/computations.ts';
import { createTestApp } from '../helpers/app.ts';
import { createDatabase } from '../helpers/databases.ts';
import { waitFor } from '../helpers/poll.ts';
import { startServer } from '../helpers/server-process.ts';
import { createSender, type Sender } from '../helpers/tenants.ts';
import { createTestSignIn, zoneA, zoneB } from '../helpers/tokens.ts';

const [atOnce, maxWaiting, sent] = [2, 32, 60];
const questionCount = 2000;

describe('60 large comparisons at once', { timeout: 240_000 }, () => {
  it('take bounded memory, leave the service awake, and are answered or told when to come again', async () => {
    const server = await startComparing();
    const alone = await compare(server, 2000);
    const health = watchHealth(server.url);
    const answers = await Promise.all(Array.from({ length: sent }, () => compare(server, 2000)));
    const slowest = await health.stop();
    const refused = answers.filter(({ status }) => status === 503);
    const right = answers.filter(({ status }) => status === 200);

    expect(alone.status).toBe(200);
    expect(alone.body).toContain('"verdict":"better"');
    expect(right.length + refused.length).toBe(sent);
    expect(refused.length).toBeGreaterThan(0);
    expect(right.length).toBeGreaterThanOrEqual(atOnce + maxWaiting);
    expect(new Set(right.map(({ body }) => body))).toEqual(new Set([alone.body]));
    for (const { body, retryAfter } of refused) {
      expect(retryAfter).toBe('5');
      expect(JSON.parse(body)).toMatchObject({ type: 'urn:problem:grounding-eval:unavailable' });
    }
    expect(slowest).toBeLessThan(2000);
    // 2.6 GB when each of them started a thread.
    expect(await readPeakMebibytes(server.pid)).toBeLessThan(1200);
  });

  it('end when their senders are gone', async () => {
    const server = await startComparing();
    const gone = new AbortController();
    // About two seconds each.
    const all = Array.from({ length: atOnce + maxWaiting }, () =>
      compare(server, 100_000, gone.signal).catch((error: unknown) => error),
    );
    await waitFor(async () => (await readGauges(server.url)).waiting > maxWaiting / 2, {
      within: 60_000,
    });
    gone.abort();
    await Promise.all(all);
    const start = performance.now();
    await waitFor(
      async () => {
        const { running, waiting } = await readGauges(server.url);
        return running === 0 && waiting === 0;
      },
      { within: 20_000 },
    );

    // All of them would take more than half a minute.
    expect(performance.now() - start).toBeLessThan(10_000);
    expect((await compare(server, 10_000)).status).toBe(200);
    expect(server.lines.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  });
});

it('serves the one comparison of a tenant before the thirty of another', async () => {
  const computations = createComputations({ atOnce: 1, maxWaiting });
  const app = await createTestApp({ signIn: await createTestSignIn(), computations });
  const many = await createSender(app, { zone: zoneA });
  const one = await createSender(app, { zone: zoneB });
  const [ofMany, ofOne] = [await prepareTenant(many), await prepareTenant(one)];
  let answered = 0;
  const all = Array.from({ length: 30 }, async () => {
    const { statusCode } = await many(toComparison(ofMany));
    answered += 1;
    return statusCode;
  });
  await waitFor(() => computations.count().waiting >= 20, { within: 60_000, every: 2 });
  const before = answered;
  const answer = await one(toComparison(ofOne));
  const meanwhile = answered - before;

  expect(answer.statusCode).toBe(200);
  // The one that is running, the one whose turn it is, and one that ends at the same time.
  expect(meanwhile).toBeLessThanOrEqual(3);
  expect(await Promise.all(all)).toEqual(Array(30).fill(200));
}, 240_000);

it('answers a small comparison while large ones take all places', async () => {
  const computations = fullComputations();
  const app = await createTestApp({ signIn: await createTestSignIn(), computations });
  const sender = await createSender(app, { zone: zoneA });
  const small = await prepareTenant(sender, 20);
  const large = await prepareTenant(sender, 1100);
  const [answer, refused] = [await sender(toComparison(small)), await sender(toComparison(large))];
  const curve = `/v1/eval/${large}/depth-curve?configuration=base`;
  const junit = `/v1/eval/${large}/report?format=junit`;
  const others = [
    await sender({ method: 'GET', url: curve }),
    await sender({ method: 'GET', url: junit }),
    await sender({ method: 'GET', url: `/v1/eval/${large}/pareto?measure=RR` }),
    await sender({ method: 'POST', url: '/v1/power', payload: powerOf(large) }),
  ];

  expect(answer.statusCode).toBe(200);
  expect([refused, ...others].map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(503));
  expect([refused, ...others].map(({ headers }) => headers['retry-after'])).toEqual(
    Array(5).fill('5'),
  );
}, 240_000);

/** All places are taken, and none waits. */
function fullComputations(): Computations {
  const computations = createComputations({ atOnce: 1, maxWaiting: 0 });
  void computations.run({ tenant: 'other' }, () => new Promise(() => undefined));
  return computations;
}

interface ComparingServer {
  readonly url: string;
  readonly pid: number;
  readonly lines: readonly string[];
  readonly evaluation: string;
}

async function startComparing(): Promise<ComparingServer> {
  const { url, child, lines } = await startServer({
    DATABASE_URL: await createDatabase('sqlite'),
    COMPUTATIONS_AT_ONCE: String(atOnce),
    COMPUTATIONS_WAITING: String(maxWaiting),
  });
  const client = createClient(url);
  const evaluation = await prepare(
    { put: client.put, evaluate: (body) => evaluateOver(client, body) },
    questionCount,
  );
  return { url, pid: child.pid ?? 0, lines, evaluation };
}

async function evaluateOver({ post }: Client, body: object): Promise<string> {
  const { id, status } = await post<{ id: string; status: string }>('/v1/eval', body, {
    prefer: 'wait=60',
  });
  if (status !== 'succeeded') throw new Error(`The evaluation is ${status}`);
  return id;
}

function prepareTenant(sender: Sender, count = 700): Promise<string> {
  const ask = async (method: 'PUT' | 'POST', url: string, payload: object) => {
    const answer = await sender({ method, url, payload, headers: { prefer: 'wait=60' } });
    if (answer.statusCode >= 300) throw new Error(`${answer.statusCode}: ${answer.body}`);
    return answer.json<{ id: string }>();
  };
  return prepare(
    {
      put: (url, body) => ask('PUT', url, body as object),
      evaluate: async (body) => (await ask('POST', '/v1/eval', body)).id,
    },
    count,
  );
}

/** Two imported runs over so many questions, the second better, and their evaluation. Returns its id. */
async function prepare(
  {
    put,
    evaluate,
  }: {
    readonly put: (path: string, body: unknown) => Promise<unknown>;
    readonly evaluate: (body: object) => Promise<string>;
  },
  count: number,
): Promise<string> {
  const ids = Array.from({ length: count }, (_, index) => `q${index}`);
  const set = `set-${count}`;
  const questions = ids.map((id) => ({ id, text: `question ${id}`, relevant: { yes: 1 } }));
  await put(`/v1/question-sets/${set}`, { questions });
  for (const [name, modulus] of [
    ['base', 5],
    ['better', 3],
  ] as const) {
    const rankings = Object.fromEntries(ids.map((id, index) => [id, toRanking(index % modulus)]));
    await put(`/v1/runs/${name}-${count}`, { rankings });
  }
  const configurations = ['base', 'better'].map((name) => ({
    name,
    backend: 'run',
    run: `${name}-${count}`,
  }));
  return evaluate({ questionSet: set, configurations, measures: ['RR'] });
}

function toRanking(before: number): readonly object[] {
  const others = Array.from({ length: before }, (_, place) => ({ documentId: `no${place}` }));
  return [...others, { documentId: 'yes' }];
}

const sidesOf = (evaluation: string) => ({
  evaluation,
  baseline: 'base',
  candidate: 'better',
  measure: 'RR',
});

function toComparison(evaluation: string) {
  const payload = { ...sidesOf(evaluation), resamples: 1000, permutations: 1000 };
  return { method: 'POST', url: '/v1/compare', payload } as const;
}

function powerOf(evaluation: string): object {
  return { ...sidesOf(evaluation), power: 0.8 };
}

async function compare(
  { url, evaluation }: ComparingServer,
  resamples: number,
  signal: AbortSignal | null = null,
): Promise<{ readonly status: number; readonly body: string; readonly retryAfter: string | null }> {
  const answer = await fetch(`${url}/v1/compare`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...sidesOf(evaluation), resamples, permutations: 2000 }),
    signal,
  });
  const retryAfter = answer.headers.get('retry-after');
  return { status: answer.status, body: await answer.text(), retryAfter };
}

/** Asks all the time. `stop` gives the milliseconds of the slowest answer. */
function watchHealth(url: string): { readonly stop: () => Promise<number> } {
  const stopped = new AbortController();
  const watch = async () => {
    let slowest = 0;
    while (!stopped.signal.aborted) {
      const start = performance.now();
      const { status } = await fetch(`${url}/health/live`);
      if (status !== 200) throw new Error(`/health/live answered ${status}`);
      slowest = Math.max(slowest, performance.now() - start);
      await wait(50);
    }
    return slowest;
  };
  const watched = watch();
  return {
    stop() {
      stopped.abort();
      return watched;
    },
  };
}

async function readPeakMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

async function readGauges(url: string): Promise<{ running: number; waiting: number }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (name: string) =>
    Number(new RegExp(`^grounding_eval_computations_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return { running: read('running'), waiting: read('waiting') };
}
