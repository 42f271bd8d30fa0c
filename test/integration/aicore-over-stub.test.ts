import { describe, expect, it, onTestFinished } from 'vitest';

import { createAiCoreConnection } from '../../src/retrieval/ai-core/connection.ts';
import { createAiCore } from '../../src/retrieval/backends/aicore/ai-core.ts';
import { parseServiceKey } from '../../src/retrieval/ai-core/service-key.ts';
import type { SearchFilter } from '../../src/model/filters.ts';
import { type AiCoreStubOptions, startAiCoreStub } from 'grounding-eval-testing';
import { type ContractSetup, testRetriever } from '../contract/retriever-contract.ts';
import { allowAll } from '../helpers/allowances.ts';
import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';
import { pumpDocuments, pumpLexicon, pumpQuestions } from '../helpers/fixtures.ts';

const everything: SearchFilter = {
  id: 'everything',
  dataRepositoryType: 'vector',
  dataRepositories: ['*'],
  searchConfiguration: { maxChunkCount: 50 },
};

const documentId = { from: 'documentMetadata', key: 'docId' } as const;

describe('the aicore retriever over the stub', () => {
  testRetriever(createContractRetriever, { hasUnmappedChunks: true });
});

describe('an evaluation over the stub', () => {
  it('scores as the local search does, through filters, users and a re-ranker', async () => {
    const { app } = await start({ corpus: pumpDocuments, lexicon: pumpLexicon });
    await ask(app, 'PUT', '/v1/corpora/pumps', {
      body: { documents: pumpDocuments, lexicon: pumpLexicon },
    });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    const grounding = {
      name: 'grounding',
      backend: 'aicore',
      resourceGroup: 'default',
      filters: [everything],
      documentId,
    };
    const local = { name: 'local', backend: 'local', corpus: 'pumps', method: 'vector' };
    const { status, scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [grounding, local],
      measures: ['hit@3', 'RR'],
    });
    expect(status).toBe('succeeded');
    expect(scorecard[0]?.measures).toEqual(scorecard[1]?.measures);
    expect(scorecard[0]?.questions).toEqual(scorecard[1]?.questions);
  });

  it('goes on when every token is revoked in the middle', async () => {
    let searches = 0;
    const { stub, app } = await start({
      corpus: pumpDocuments,
      latencyMs: () => {
        searches += 1;
        if (searches === 5) stub.revokeTokens();
        return 0;
      },
    });
    const questions = Array.from({ length: 20 }, (_, index) => {
      return { id: `q${index}`, text: 'pump oil', relevant: { P2: 1 } };
    });
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions } });
    const { scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [
        {
          name: 'grounding',
          backend: 'aicore',
          resourceGroup: 'default',
          filters: [everything],
          documentId,
        },
      ],
    });
    expect(scorecard[0]?.questions).toMatchObject({ scored: 20, failed: 0 });
  });
});

async function start(options: AiCoreStubOptions) {
  const stub = await startAiCoreStub(options);
  onTestFinished(() => stub.close());
  const serviceKey = parseServiceKey(stub.serviceKey);
  const aiCore = { serviceKey, concurrency: 4, timeoutMs: 5000, attempts: 1 };
  return { stub, app: await createTestApp({ aiCore }) };
}

async function createContractRetriever({ chunks, filters, users }: ContractSetup) {
  const byDocument = Map.groupBy(chunks, (chunk) => chunk.documentId ?? 'unmapped');
  const corpus = [...byDocument].map(([id, own]) => ({
    id,
    title: '',
    paragraphs: own.map(({ text }) => text),
    metadata: own[0]?.documentMetadata,
  }));
  const stub = await startAiCoreStub({
    corpus,
    hasDocumentId: (chunk) => chunk.documentId !== 'unmapped',
  });
  onTestFinished(() => stub.close());
  const serviceKey = parseServiceKey(stub.serviceKey);
  const aiCore = createAiCore(
    createAiCoreConnection({
      serviceKey,
      concurrency: 8,
      timeoutMs: 5000,
      attempts: 1,
    }).restrictTo(allowAll()),
  );
  const retriever = aiCore.createRetriever({
    backend: 'aicore',
    resourceGroup: 'default',
    filters: filters.length > 0 ? filters : [everything],
    postProcessing: [],
    documentId,
    users,
    depth: 100,
  });
  const countSearches = () => stub.requests.filter(({ path }) => path.endsWith('/search')).length;
  return { retriever, countSearches };
}
