import { describe, expect, it } from 'vitest';

import { listModelTokens } from '../../../../src/evaluation/analysis/model-tokens.ts';
import { calculateCost } from '../../../../src/evaluation/analysis/calculate-cost.ts';
import type { ScorecardRow } from '../../../../src/model/scorecard.ts';
import type { PipelineConfiguration } from '../../../../src/model/pipeline-configuration.ts';
import type { SearchConfiguration } from '../../../../src/model/search-configuration.ts';

const used = { searches: 10, pairsReranked: 0, modelCalls: 4 };
const mini = { per1000PromptTokens: 0.5, per1000CompletionTokens: 2 };

describe('calculateCost', () => {
  it('adds up what was used, by its price', () => {
    const usage = {
      ...used,
      pairsReranked: 200,
      tokens: { mini: { prompt: 3000, completion: 500 } },
    };
    const prices = {
      currency: 'EUR',
      perSearch: 0.25,
      perRerankedPair: 0.01,
      perModelCall: 0.125,
      models: { mini },
    };
    // 10 · 0.25 + 200 · 0.01 + 4 · 0.125 + 3 · 0.5 + 0.5 · 2
    expect(calculateCost(usage, prices)).toEqual({ amount: 7.5, missingPrices: [] });
  });

  it('needs no price of what was not used', () => {
    const usage = {
      searches: 2,
      pairsReranked: 0,
      modelCalls: 0,
      tokens: { m: { prompt: 0, completion: 0 } },
    };
    expect(calculateCost(usage, { currency: 'EUR', perSearch: 1 })).toEqual({
      amount: 2,
      missingPrices: [],
    });
  });

  it('knows nothing where a price is missing, and names it', () => {
    const tokens = { constructor: { prompt: 1, completion: 0 } };
    expect(
      calculateCost({ ...used, tokens }, { currency: 'EUR', perSearch: 1, models: { mini } }),
    ).toEqual({
      amount: null,
      missingPrices: ['perModelCall', 'models/constructor/per1000PromptTokens'],
    });
  });

  it('takes a price of 0 for a price', () => {
    expect(calculateCost(used, { currency: 'EUR', perSearch: 0, perModelCall: 0 }).amount).toBe(0);
  });
});

const stage = (name: string, type: string, promptTokens: number) => ({
  stage: name,
  type,
  promptTokens,
  completionTokens: 1,
});
const tokensOf = (pipeline: PipelineConfiguration, ...stages: object[]) => {
  const row = { backend: 'local', usage: used, pipeline: { stages } } as unknown as ScorecardRow;
  return listModelTokens(row, { backend: 'local', pipeline } as SearchConfiguration);
};

describe('listModelTokens', () => {
  const rest = { maxTokens: 100, timeoutMs: 1000 };
  const rewrite = { type: 'llm', model: 'big', versions: 2, ...rest } as const;

  it('adds up stages that ask one model', () => {
    const rerank = { type: 'llm', model: 'big', window: 4, step: 2, ...rest } as const;
    const stages = [stage('rewrite', 'llm', 10), stage('rerank', 'llm', 30)];
    expect(tokensOf({ rewrite, rerank }, ...stages)).toEqual({
      big: { prompt: 40, completion: 2 },
    });
  });

  it('says so where two models of one stage cannot be told apart', () => {
    const two = { rewrite: [rewrite, { ...rewrite, model: 'small' }] };
    expect(tokensOf(two, stage('rewrite', 'llm', 10))).toEqual({
      '(rewrite llm)': { prompt: 10, completion: 1 },
    });
  });

  it('takes the model of the backend for what its searches read', () => {
    const usage = { ...used, promptTokens: 7, completionTokens: 3 };
    const row = { backend: 'orchestration', usage } as unknown as ScorecardRow;
    const configuration = { backend: 'orchestration', model: 'big' } as SearchConfiguration;
    expect(listModelTokens(row, configuration)).toEqual({ big: { prompt: 7, completion: 3 } });
  });
});
