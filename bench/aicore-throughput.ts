/**
 * How close an evaluation on AI Core comes to the time that its searches must take: 2,000 questions, 50 ms a
 * search, 8 at once, so 12.5 s. Beside it the plain SDK in a pool of 8. The server is a process of its own.
 *
 *     npx node bench/aicore-throughput.ts [questions]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { RetrievalApi } from '@sap-ai-sdk/document-grounding';
import pMap from 'p-map';

import { createEvaluation } from '../src/evaluation/planning/create-evaluation.ts';
import { runEvaluation } from '../src/evaluation/running/run-evaluation.ts';
import type { QuestionEntry } from '../src/evaluation/question-sets/stage-questions.ts';
import { importQuestions, usualRule } from '../src/evaluation/question-sets/import-questions.ts';
import { createSearchSources } from '../src/evaluation/catalog/search-sources.ts';
import type { ServiceKey } from '../src/retrieval/ai-core/service-key.ts';
import { createRetrieverRegistry } from '../src/retrieval/registry.ts';
import { type Database, openDatabase } from '../src/storage/database/database.ts';
import { localTenant, scopeToTenant } from '../src/storage/database/tenant-scope.ts';
import { migrate } from '../src/storage/migrations/migrations.ts';
import { startAiCoreServer } from '../test/helpers/aicore-server.ts';

const latencyMs = 50;
const concurrency = 8;
const chunksPerAnswer = 20;

interface Served {
  readonly searches: number;
  readonly sockets: number;
}

const filters = [
  {
    id: 'notes',
    dataRepositoryType: 'vector',
    dataRepositories: ['*'],
    searchConfiguration: { maxChunkCount: chunksPerAnswer },
  },
];

if (process.send) await serve();
else await compare(Number(process.argv[2] ?? 2000));

async function compare(questions: number): Promise<void> {
  const server = fork(import.meta.filename);
  await once(server, 'message');
  const key = await ask<ServiceKey>(server, 'key');
  const texts = Array.from({ length: questions }, (_, index) => `question ${index}`);
  const idealMs = (questions * latencyMs) / concurrency;
  print(
    `${questions} questions, ${latencyMs} ms a search, ${concurrency} at once: ideal ${toSeconds(idealMs)} s`,
  );

  const ways = [
    ['grounding-eval, whole evaluation', () => evaluate(texts, key)],
    ['plain SDK, pool of promises', () => searchPlainly(texts, key)],
    ['fetch alone, what the machine can do', () => fetchOnly(texts, key)],
  ] as const;
  for (const [name, search] of ways) {
    const before = await ask<Served>(server, 'served');
    const start = performance.now();
    await search();
    const tookMs = performance.now() - start;
    const after = await ask<Served>(server, 'served');
    const over = `${(100 * (tookMs / idealMs - 1)).toFixed(1)} % over the ideal`;
    const sockets = after.sockets - before.sockets;
    const searches = after.searches - before.searches;
    print(`${name}: ${toSeconds(tookMs)} s, ${over}, ${searches} searches on ${sockets} sockets`);
  }
  server.kill();
}

async function evaluate(texts: readonly string[], serviceKey: ServiceKey): Promise<void> {
  const aiCore = [{ resourceGroups: ['default'], models: [], deployments: [] }];
  const db = scopeToTenant(openDatabase('sqlite::memory:', { quotas: { aiCore } }), localTenant);
  await migrate(db);
  const settings = { serviceKey, concurrency, timeoutMs: 30_000, attempts: 4 };
  const retrievers = createRetrieverRegistry(createSearchSources(db), settings);
  await saveQuestions(db, texts, makeNow());
  const request = {
    questionSet: 'bench',
    configurations: [
      {
        name: 'grounding',
        backend: 'aicore' as const,
        resourceGroup: 'default',
        filters,
        postProcessing: [],
        documentId: { from: 'chunkMetadata' as const, key: 'docId' },
        users: {},
        depth: 100,
      },
    ],
    sliceBy: [],
  };
  const { id } = await createEvaluation(db, request, { id: 'bench', now: makeNow() });
  const context = { db, retrievers, now: makeNow, searchConcurrency: concurrency };
  const { signal } = new AbortController();
  await runEvaluation(context, id, { abort: signal, drain: signal });
  await db.destroy();
}

async function saveQuestions(db: Database, texts: readonly string[], now: string): Promise<void> {
  async function* entries(): AsyncGenerator<QuestionEntry> {
    for (const [index, text] of texts.entries()) {
      const question = { id: `q${index}`, text, tags: [], answerable: true, forbidden: [] };
      yield { question, grades: [[`D${index % chunksPerAnswer}`, 1]] };
    }
  }
  const draft = { db, id: 'bench', now: () => now };
  await importQuestions(draft, 'bench', { ...usualRule, entries: entries() });
}

async function searchPlainly(texts: readonly string[], key: ServiceKey): Promise<void> {
  // The SDK reads the binding from the environment once.
  process.env['AICORE_SERVICE_KEY'] = JSON.stringify(key);
  await pMap(texts, searchOnce, { concurrency });
}

function searchOnce(query: string): Promise<unknown> {
  return RetrievalApi.search({ query, filters }, { 'AI-Resource-Group': 'default' }).execute();
}

/** The same requests without any SDK, token or reading. */
async function fetchOnly(texts: readonly string[], key: ServiceKey): Promise<void> {
  const url = `${key.serviceurls.AI_API_URL}/v2/lm/document-grounding/retrieval/search`;
  const search = async (query: string) => {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ query, filters }) });
    return answer.text();
  };
  await pMap(texts, search, { concurrency });
}

async function serve(): Promise<void> {
  const chunks = Array.from({ length: chunksPerAnswer }, (_, index) => ({
    id: `chunk-${index}`,
    content: 'A chain that has grown by half a percent is changed. '.repeat(12),
    metadata: [{ key: 'docId', value: [`D${index}`] }],
    searchScores: { aggregatedScore: { value: 1 / (index + 1) } },
  }));
  const documents = chunks.map((chunk) => ({ id: `document-${chunk.id}`, chunks: [chunk] }));
  const dataRepository = { id: 'repository', title: 'notes', documents };
  const results = [{ filterId: 'notes', results: [{ dataRepository }] }];
  const body = JSON.stringify({ results });
  const headers = { 'content-type': 'application/json' };
  const onSearch = () => ({ body, headers, delayMs: latencyMs });
  const server = await startAiCoreServer({ onSearch });
  process.on('message', (what: 'key' | 'served') => {
    const served = { searches: server.searches.length, sockets: server.countSockets() };
    process.send?.(what === 'key' ? server.key : served);
  });
  process.send?.('ready');
}

async function ask<Answer>(server: ChildProcess, what: 'key' | 'served'): Promise<Answer> {
  server.send(what);
  const [answer] = await once(server, 'message');
  return answer as Answer;
}

function makeNow(): string {
  return new Date().toISOString();
}

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
