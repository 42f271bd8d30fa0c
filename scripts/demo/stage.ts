import { readFile } from 'node:fs/promises';

import type { LocalDocument } from '../../src/retrieval/backends/local/local-document.ts';
import type { Lexicon } from '../../src/retrieval/backends/local/lexicon.ts';
import { startAiCoreStub } from 'grounding-eval-testing';
import { print } from './print.ts';

/** What a demo evaluates, and what the service needs to know for it. */
export interface Stage extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
  /** By name, as they are PUT. */
  readonly configurations: ReadonlyMap<string, unknown>;
  /** Pairs that are compared on the held-out half: baseline, then candidate. */
  readonly comparisons: readonly (readonly [baseline: string, candidate: string])[];
}

/** The four methods of the local backend. */
export async function prepareLocalStage(): Promise<Stage> {
  const methods = ['bm25', 'vector', 'hybrid', 'rerank'];
  const configurations = new Map<string, unknown>();
  for (const method of methods) configurations.set(method, await readConfiguration(method));
  return {
    environment: {},
    configurations,
    comparisons: [
      ['hybrid', 'rerank'],
      ['vector', 'rerank'],
    ],
    async [Symbol.asyncDispose]() {},
  };
}

/** The real AI Core backend over HTTP, against a stand-in for AI Core that holds the sample's documents. */
export async function prepareAiCoreStage(): Promise<Stage> {
  const lines = (await readFile('sample/documents.ndjson', 'utf8')).trimEnd().split('\n');
  const corpus = lines.map((line) => JSON.parse(line) as LocalDocument);
  const lexicon = JSON.parse(await readFile('sample/lexicon.json', 'utf8')) as Lexicon;
  const stub = await startAiCoreStub({ corpus, lexicon, documentIdKey: 'docId', latencyMs: 5 });
  print(
    `A stand-in for AI Core answers on ${stub.url}; the service reaches it as it would reach SAP.`,
  );
  const { users } = await readConfiguration('hybrid');
  const plain = {
    backend: 'aicore',
    resourceGroup: 'default',
    filters: [
      {
        id: 'notes',
        dataRepositoryType: 'vector',
        dataRepositories: ['*'],
        searchConfiguration: { maxChunkCount: 20 },
      },
    ],
    documentId: { from: 'chunkMetadata', key: 'docId' },
    users,
  };
  const rerank = {
    id: 'rerank',
    maxChunkCount: 20,
    strategy: { type: 'reranker', model: 'cohere-3.5' },
    inputs: [{ id: 'notes' }],
  };
  return {
    environment: { AICORE_SERVICE_KEY: stub.serviceKey },
    configurations: new Map<string, unknown>([
      ['plain', plain],
      ['reranked', { ...plain, postProcessing: [rerank] }],
    ]),
    comparisons: [['plain', 'reranked']],
    [Symbol.asyncDispose]: () => stub.close(),
  };
}

async function readConfiguration(method: string): Promise<{ readonly users: unknown }> {
  const file = await readFile(`sample/configurations/${method}.json`, 'utf8');
  return JSON.parse(file) as { users: unknown };
}
