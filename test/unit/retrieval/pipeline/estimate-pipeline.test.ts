import { describe, expect, it } from 'vitest';

import { estimatePipeline } from '../../../../src/retrieval/pipeline/estimate-pipeline.ts';
import type { PipelineConfiguration } from '../../../../src/model/pipeline-configuration.ts';
import { readLabJson } from '../../../helpers/lab.ts';

const model = { model: 'gpt-4.1-mini', maxTokens: 100, timeoutMs: 1000 };
const rerank = { type: 'llm', ...model, window: 20, step: 10 } as const;

describe('estimatePipeline', () => {
  it.each<[string, PipelineConfiguration, number, number]>([
    ['nothing', {}, 1, 0],
    ['a glossary', { rewrite: { type: 'glossary', terms: { a: 'b' } } }, 2, 0],
    ['three wordings', { rewrite: { type: 'llm', versions: 3, ...model } }, 4, 1],
    [
      'several ways to rewrite',
      {
        rewrite: [
          { type: 'followUp', ...model },
          { type: 'llm', versions: 2, ...model },
          { type: 'hyde', ...model },
        ],
      },
      5,
      3,
    ],
    ['one window', { rerank }, 1, 1],
    ['a re-ranker of this process', { candidates: 100, rerank: { type: 'lexical' } }, 1, 0],
  ])('counts what %s takes', (_case, pipeline, searches, modelCalls) => {
    expect(estimatePipeline(pipeline, { hasHistory: true })).toEqual({ searches, modelCalls });
  });

  it('counts the windows of a long list', () => {
    const { slidingWindow } = readLabJson<{
      slidingWindow: { candidates: number; window: number; step: number; windows: unknown[] };
    }>('rewriting.json');
    const { candidates, window, step, windows } = slidingWindow;
    const pipeline = { candidates, rerank: { ...rerank, window, step } };
    expect(estimatePipeline(pipeline, { hasHistory: true }).modelCalls).toBe(windows.length);
  });
});
