import { describe, expect, it } from 'vitest';

import { RetrieverError } from '../../../../src/errors.ts';
import type { ChatModel } from '../../../../src/retrieval/chat-model.ts';
import { createPipelineStages } from '../../../../src/retrieval/pipeline/create-pipeline.ts';
import type { PipelineConfiguration } from '../../../../src/model/pipeline-configuration.ts';
import { createPipelineRetriever } from '../../../../src/retrieval/pipeline/pipeline-retriever.ts';
import {
  type RetrievedHit,
  type RetrieveOptions,
  type Retriever,
} from '../../../../src/retrieval/retriever.ts';
import { failLate, scriptChat } from '../../../helpers/scripted-chat.ts';
import { noCost } from '../../../../src/model/outcome.ts';

const model = { model: 'gpt', maxTokens: 100, timeoutMs: 1000 };
const glossary = { type: 'glossary', terms: { stuck: 'blocked' } } as const;

describe('createPipelineRetriever', () => {
  it('searches the question first, and each version with the same options', async () => {
    const backend = findById({ 'stuck order': ['A', 'B'], 'blocked order': ['B', 'C'] });
    const { hits, trace, cost } = await search(backend, { rewrite: glossary });

    // B: 1/62 + 1/61, A: 1/61, C: 1/62.
    expect(hits.map(({ documentId, score }) => [documentId, score])).toEqual([
      ['B', 1 / 62 + 1 / 61],
      ['A', 1 / 61],
      ['C', 1 / 62],
    ]);
    // Each with the chunk of the version that ranked it best.
    expect(hits.map(({ chunkId }) => chunkId)).toEqual([
      'blocked order: B',
      'stuck order: A',
      'blocked order: C',
    ]);
    expect(backend.asked).toEqual([
      { text: 'stuck order', user: 'anna', depth: 10 },
      { text: 'blocked order', user: 'anna', depth: 10 },
    ]);
    expect(trace).toMatchObject({
      versions: [
        { kind: 'original', ranking: ['A', 'B'] },
        { kind: 'glossary', text: 'blocked order', ranking: ['B', 'C'] },
      ],
      fused: ['B', 'A', 'C'],
      fallbacks: [],
    });
    expect(trace?.versions[0]).not.toHaveProperty('text');
    expect(cost).toMatchObject({ searches: 2, attempts: 2, modelCalls: 0 });
  });

  it('leaves a ranking as the backend gave it where there is one version alone', async () => {
    const backend = findById({ 'open order': ['A', 'B'] });
    const { hits, trace } = await search(
      backend,
      { rewrite: glossary },
      { question: 'open order' },
    );

    expect(hits.map(({ score }) => score)).toEqual([1, 0.5]);
    expect(trace).not.toHaveProperty('fused');
  });

  it('shows a hypothetical passage to the search and to nobody else', async () => {
    const { chatModel } = scriptChat(() => 'The order is blocked by credit check 4711.');
    const backend = findById({});
    const { trace } = await search(backend, { rewrite: { type: 'hyde', ...model } }, { chatModel });

    expect(backend.asked.map(({ text }) => text)).toEqual([
      'stuck order',
      'The order is blocked by credit check 4711.',
    ]);
    expect(JSON.stringify(trace)).not.toContain('credit check');
    expect(trace?.versions[1]).toEqual({ kind: 'hyde', ranking: [] });
  });

  it('takes list marks off wordings, caps them, and drops what repeats an earlier one', async () => {
    const lines = ['1. Blocked order', '- STUCK  order', '2) "held order"', '* blocked ORDER'];
    const reply = ['Here they are:', ...lines, '3:', '[4] frozen order', '5. parked order'].join(
      '\n',
    );
    const { chatModel } = scriptChat(() => reply);
    const backend = findById({});
    await search(backend, { rewrite: { type: 'llm', versions: 3, ...model } }, { chatModel });

    expect(backend.asked.map(({ text }) => text)).toEqual([
      'stuck order',
      'Blocked order',
      'held order',
      'frozen order',
    ]);
  });

  it('reports the codes that a version drops', async () => {
    const { chatModel } = scriptChat(() => 'pricing error\nmeaning of PRC-112');
    const { trace } = await search(
      findById({}),
      { rewrite: { type: 'llm', versions: 3, ...model } },
      { chatModel, question: 'what does PRC-112 mean' },
    );

    expect(trace?.versions.map(({ droppedCodes }) => droppedCodes)).toEqual([
      undefined,
      ['prc-112'],
      undefined,
    ]);
  });

  it('completes a follow-up for the stages behind it, and asks nobody without a conversation', async () => {
    const { chatModel, requests } = scriptChat(() => 'stuck invoice');
    const pipeline = { rewrite: [{ type: 'followUp', ...model }, glossary] } as const;
    const backend = findById({});
    await search(backend, pipeline, { chatModel, question: 'and the invoice?' });
    expect(requests).toEqual([]);

    const history = [{ role: 'user', text: 'stuck order' }] as const;
    await search(backend, pipeline, { chatModel, question: 'and the invoice?', history });

    expect(requests).toHaveLength(1);
    expect(backend.asked.map(({ text }) => text)).toEqual([
      'and the invoice?',
      'and the invoice?',
      'stuck invoice',
      'blocked invoice',
    ]);
  });

  it.each([
    ['is late', failLate, 'timeout', 2],
    ['fails', fail, 'failed', 1],
    ['replies nothing usable', () => '\n```\n', 'unusable-reply', 1],
  ])('goes on with the question alone when a model %s', async (_case, answer, code, modelCalls) => {
    const { chatModel } = scriptChat(answer);
    const backend = findById({ 'stuck order': ['A'] });
    const pipeline = { rewrite: { type: 'llm', versions: 2, ...model } } as const;
    const { hits, trace, cost } = await search(backend, pipeline, { chatModel });

    expect(hits.map(({ documentId }) => documentId)).toEqual(['A']);
    expect(trace?.fallbacks).toMatchObject([{ stage: 'rewrite', type: 'llm', code }]);
    expect(cost.modelCalls).toBe(modelCalls);
  });

  it('leaves out a version whose search fails', async () => {
    const backend = findById({ 'stuck order': ['A'], 'blocked order': 'fails' });
    const { hits, trace, cost } = await search(backend, { rewrite: glossary });

    expect(hits.map(({ documentId }) => documentId)).toEqual(['A']);
    expect(trace?.versions[1]).toMatchObject({ ranking: null });
    expect(trace?.fallbacks).toMatchObject([{ stage: 'search', type: 'glossary', code: 'failed' }]);
    expect(cost).toMatchObject({ searches: 2, attempts: 2 });
  });

  it('leaves out a version whose search is late', async () => {
    const backend = findById({ 'stuck order': ['A'], 'blocked order': 'never answers' });
    const pipeline = { rewrite: glossary, versionTimeoutMs: 20 };
    const { hits, trace } = await search(backend, pipeline);

    expect(hits.map(({ documentId }) => documentId)).toEqual(['A']);
    expect(trace?.fallbacks).toMatchObject([{ stage: 'search', code: 'timeout' }]);
  });

  it('fails with the search of the question itself, and tells what was spent', async () => {
    const { chatModel } = scriptChat(() => 'blocked order');
    const backend = findById({ 'stuck order': 'fails', 'blocked order': ['B'] });
    const pipeline = { rewrite: { type: 'llm', versions: 1, ...model } } as const;
    const error: unknown = await search(backend, pipeline, { chatModel }).catch((thrown) => thrown);

    expect(error).toMatchObject({ code: 'retriever-failed', attempts: 2 });
    const { trace } = error as RetrieverError;
    expect(trace?.versions.map(({ ranking }) => ranking)).toEqual([null, ['B']]);
    expect(trace?.stages).toMatchObject([{ modelCalls: 1 }, { searches: 2 }]);
  });

  it('asks no model for a user it does not know', async () => {
    const { chatModel, requests } = scriptChat(() => 'blocked order');
    const pipeline = { rewrite: { type: 'llm', versions: 1, ...model } } as const;
    const options = { chatModel, user: 'bob' };

    await expect(search(findById({}), pipeline, options)).rejects.toMatchObject({
      code: 'unknown-user',
    });
    expect(requests).toEqual([]);
  });

  it('fuses by rank, and says so, where a hit has no score', async () => {
    const backend = findById(
      { 'stuck order': ['A', 'B'], 'blocked order': ['B'] },
      { isScored: false },
    );
    const { hits, trace } = await search(backend, {
      rewrite: glossary,
      fusion: { type: 'scores' },
    });

    expect(hits.map(({ documentId }) => documentId)).toEqual(['B', 'A']);
    expect(trace?.fallbacks).toMatchObject([
      { stage: 'fusion', type: 'scores', code: 'no-scores' },
    ]);
  });

  it('re-ranks the first of the ranking and keeps the others behind them, without scores', async () => {
    const { chatModel } = scriptChat(() => '[3] > [1]');
    const backend = findById({ 'stuck order': ['A', 'B', 'C', 'D', 'E'] });
    const { hits, trace } = await search(backend, llmRerank(3), { chatModel });

    expect(hits.map(({ documentId }) => documentId)).toEqual(['C', 'A', 'B', 'D', 'E']);
    expect(hits.map(({ score }) => score)).toEqual([null, null, null, null, null]);
    expect(trace).toMatchObject({ candidates: 3, reranked: ['C', 'A', 'B'] });
    expect(trace?.stages[1]).toMatchObject({
      stage: 'rerank',
      pairsReranked: 3,
      modelCalls: 1,
      promptTokens: 100,
      completionTokens: 10,
      latencyMs: 7,
    });
  });

  it.each([
    ['is late', failLate, 'timeout'],
    ['replies nothing usable', () => 'I cannot rank these.', 'unusable-reply'],
  ])('keeps order and scores when re-ranking %s', async (_case, answer, code) => {
    const { chatModel } = scriptChat(answer);
    const backend = findById({ 'stuck order': ['A', 'B', 'C'] });
    const { hits, trace } = await search(backend, llmRerank(3), { chatModel });

    expect(hits.map(({ documentId, score }) => [documentId, score])).toEqual([
      ['A', 1],
      ['B', 0.5],
      ['C', 1 / 3],
    ]);
    expect(trace?.fallbacks).toMatchObject([{ stage: 'rerank', type: 'llm', code }]);
    expect(trace).not.toHaveProperty('reranked');
  });

  it('searches as deep as re-ranking reads, and keeps as many as asked for', async () => {
    const { chatModel } = scriptChat(() => '[3]');
    const backend = findById({ 'stuck order': ['A', 'B', 'C'] });
    const { hits } = await search(backend, llmRerank(3), { chatModel, depth: 1 });

    expect(backend.asked).toMatchObject([{ depth: 3 }]);
    expect(hits.map(({ documentId }) => documentId)).toEqual(['C']);
  });

  it('hands no text on', async () => {
    const { chatModel } = scriptChat(() => '[2]');
    const backend = findById({ 'stuck order': ['A', 'B'] });
    const found = await search(backend, llmRerank(2), { chatModel });

    expect(JSON.stringify(found)).not.toContain('text of');
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const chatModel: ChatModel = {
      async complete() {
        stop.abort(new Error('stopped'));
        throw new RetrieverError('retriever-failed', 'aborted');
      },
    };
    const pipeline = { rewrite: { type: 'llm', versions: 1, ...model } } as const;
    const found = search(findById({}), pipeline, { chatModel, signal: stop.signal });

    await expect(found).rejects.toThrow('stopped');
  });
});

function llmRerank(candidates: number): PipelineConfiguration {
  return { candidates, rerank: { type: 'llm', window: 20, step: 10, ...model } };
}

function fail(): never {
  throw new RetrieverError('retriever-failed', 'the model is gone', { attempts: 1 });
}

interface FakeBackend extends Retriever {
  readonly asked: readonly (Pick<RetrieveOptions, 'user' | 'depth'> & { readonly text: string })[];
}

/** Answers each text with documents whose scores are 1, 1/2, 1/3 …, or with none at all. */
function findById(
  answers: Readonly<Record<string, readonly string[] | 'fails' | 'never answers'>>,
  { isScored = true } = {},
): FakeBackend {
  const asked: { text: string; user: string | undefined; depth: number }[] = [];
  return {
    asked,
    async retrieve(text, { user, depth, signal }) {
      asked.push({ text, user, depth });
      const answer = answers[text] ?? [];
      if (answer === 'fails') {
        throw new RetrieverError('retriever-failed', 'told to fail', { attempts: 1 });
      }
      if (answer === 'never answers') return untilAborted(signal);
      const hits = answer.map((documentId, index): RetrievedHit => {
        const passage = { title: '', text: `text of ${documentId}` };
        return {
          documentId,
          chunkId: `${text}: ${documentId}`,
          score: isScored ? 1 / (index + 1) : null,
          passage,
        };
      });
      return { hits, cost: { ...noCost, searches: 1, attempts: 1, latencyMs: 2 } };
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function search(
  backend: Retriever,
  pipeline: PipelineConfiguration,
  {
    question = 'stuck order',
    chatModel,
    ...options
  }: Partial<RetrieveOptions> & { question?: string; chatModel?: ChatModel } = {},
) {
  const configuration = {
    backend: 'local',
    corpus: 'c',
    method: 'bm25',
    chunking: { strategy: 'sections' },
    candidates: 8,
    rrfK: 60,
    depth: 10,
    filters: [],
    users: { anna: { documentMetadata: [{ key: 'region', value: ['north'] }] } },
  } as const;
  const tools = { chatModel, createLexicalReranker: () => ({ rerank: fail }) };
  const stages = createPipelineStages(configuration, pipeline, tools);
  return createPipelineRetriever(backend, stages).retrieve(question, {
    depth: 10,
    user: 'anna',
    signal: new AbortController().signal,
    ...options,
  });
}
