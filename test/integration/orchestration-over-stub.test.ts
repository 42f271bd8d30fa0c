import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { parseServiceKey } from '../../src/retrieval/ai-core/service-key.ts';
import { type AiCoreStubOptions, faults } from 'grounding-eval-testing';
import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate, type RowAnswer, send } from '../helpers/client.ts';
import { pumpDocuments, pumpLexicon, pumpQuestions } from '../helpers/fixtures.ts';
import { startStub } from '../helpers/grounding.ts';

const orchestration = {
  name: 'orchestration',
  backend: 'orchestration',
  resourceGroup: 'default',
  model: 'gpt-4.1-mini',
  filters: [{ id: 'all', searchConfiguration: { maxChunkCount: 50 } }],
  documentId: { from: 'documentMetadata', key: 'docId' },
};

describe('an evaluation of the orchestration backend over the stub', () => {
  it('scores as the local search does, one model call a question', async () => {
    const { app } = await start();
    await ask(app, 'PUT', '/v1/corpora/pumps', {
      body: { documents: pumpDocuments, lexicon: pumpLexicon },
    });
    const local = { name: 'local', backend: 'local', corpus: 'pumps', method: 'vector' };
    const { status, scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [orchestration, local],
      measures: ['hit@3', 'RR'],
    });
    expect(status).toBe('succeeded');
    expect(scorecard[0]?.measures).toEqual(scorecard[1]?.measures);
    expect(scorecard[0]?.questions).toEqual(scorecard[1]?.questions);
    expect(scorecard[0]?.usage).toMatchObject({ searches: 4, searchAttempts: 4, modelCalls: 4 });
    expect(codesOf(scorecard[0])).not.toContain('scores-not-comparable');
  });

  it('warns of counts below the cut-off of a measure', async () => {
    const { app } = await start();
    const filters = [{ id: 'all', searchConfiguration: { maxChunkCount: 2 } }];
    const { scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ ...orchestration, filters }],
      measures: ['nDCG@3'],
    });
    const warning = scorecard[0]?.warnings.find(({ code }) => code === 'depth-below-cutoff');
    expect(warning?.message).toMatch(/^The counts of the configuration allow 2 chunks, but/);
  });

  it('says why chunks have no ids', async () => {
    const repositories = [{ title: 'help', type: 'help.sap.com', documents: pumpDocuments }];
    const { app } = await start({ corpus: undefined, repositories });
    const { scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [{ ...orchestration, filters: [{ dataRepositoryType: 'help.sap.com' }] }],
      measures: ['hit@3'],
    });
    const [row] = scorecard;
    expect(row?.measures['hit@3']).toBe(0);
    // The reason stands alone: that the chunks have no ids follows from it.
    expect(codesOf(row)).toContain('no-document-ids');
    expect(codesOf(row)).not.toContain('unmapped-chunks');
    const reason = row?.warnings.find(({ code }) => code === 'no-document-ids');
    expect(reason?.message).toContain('no metadata can be requested');
  });

  it('searches for a user with their conditions, and not at all for one it does not know', async () => {
    const { app, stub } = await start();
    const questions = ['anna', 'bob'].map((user) => ({
      id: user,
      text: 'pump drips oil',
      user,
      relevant: { P2: 1 },
    }));
    await ask(app, 'PUT', '/v1/question-sets/users', { body: { questions } });
    const users = { anna: { documentMetadata: [{ key: 'plant', value: ['north'] }] } };
    const { scorecard } = await evaluate(app, {
      questionSet: 'users',
      configurations: [{ ...orchestration, users }],
      measures: ['hit@3'],
    });
    expect(scorecard[0]?.questions).toMatchObject({ scored: 1, failed: 1 });
    expect(scorecard[0]?.measures['hit@3']).toBe(0);
    expect(stub.counters.requests.completion).toBe(1);
  });

  it('names the questions whose search failed', async () => {
    const rule = { endpoint: 'completion' as const, question: 'replace fuse' };
    const { app } = await start({ faults: [{ ...rule, fault: faults.html() }] });
    const { scorecard } = await evaluate(app, {
      questionSet: 'pumps',
      configurations: [orchestration],
      measures: ['hit@3'],
    });
    expect(scorecard[0]?.questions).toMatchObject({ scored: 2, failed: 1 });
    expect(scorecard[0]?.failures).toMatchObject([{ code: 'retriever-failed', questions: 1 }]);
  });

  it('is refused where there is no way to AI Core', async () => {
    const app = await createTestApp();
    await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
    const body = { questionSet: 'pumps', configurations: [orchestration] };
    const answer = await send(app, 'POST', '/v1/eval', { body });
    expect(answer.statusCode).toBe(409);
    expect(answer.body).toContain('AICORE_SERVICE_KEY');
  });

  it('tells in a dry run what it would cost, and in a probe how the answer was read', async () => {
    const { app, stub } = await start();
    const filters = [{ searchConfiguration: { maxChunkCount: 2 } }];
    const configurations = [{ ...orchestration, filters }];
    const body = { questionSet: 'pumps', configurations, measures: ['hit@3'] };
    const dry = await ask<object>(app, 'POST', '/v1/eval?dryRun=true', { body });
    expect(dry).toMatchObject({
      total: { searches: 4, rerankerCalls: 0, modelCalls: 4, maxChunks: 8 },
      configurations: [{ warnings: [{ code: 'depth-below-cutoff' }] }],
    });
    expect(stub.requests).toEqual([]);
    const probing = { ...body, probe: true };
    const probed = await ask<object>(app, 'POST', '/v1/eval?dryRun=true', { body: probing });
    expect(probed).toMatchObject({
      probes: [{ error: null, attempts: 1, reading: { keys: ['docId', 'document_docId'] } }],
    });
    expect(stub.counters.requests.completion).toBe(1);
  });
});

async function start(options: AiCoreStubOptions = {}) {
  const stub = await startStub({ corpus: pumpDocuments, lexicon: pumpLexicon, ...options });
  const serviceKey = parseServiceKey(stub.serviceKey);
  const aiCore = { serviceKey, concurrency: 4, timeoutMs: 5000, attempts: 1 };
  const app: FastifyInstance = await createTestApp({ aiCore });
  await ask(app, 'PUT', '/v1/question-sets/pumps', { body: { questions: pumpQuestions } });
  return { app, stub };
}

function codesOf(row: RowAnswer | undefined): readonly string[] {
  return (row?.warnings ?? []).map(({ code }) => code);
}
