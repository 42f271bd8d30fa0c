import { describe, expect, it } from 'vitest';

import { createPipelineUsage } from '../../../../src/evaluation/scoring/pipeline-usage.ts';
import type { StageCost } from '../../../../src/model/pipeline-trace.ts';
import type { Outcome } from '../../../../src/model/outcome.ts';

describe('the usage of a pipeline', () => {
  it('counts each question once where it is rewritten twice in the same way, with the time of both', () => {
    const usage = createPipelineUsage();
    usage.add(rewritten(100, 50));
    usage.add(rewritten(10, 20));
    const [stage, ...others] = usage.toUsage()?.stages ?? [];

    expect(others).toEqual([]);
    expect(stage).toMatchObject({ stage: 'rewrite', type: 'llm', questions: 2, modelCalls: 4 });
    // By hand: 150 and 30.
    expect(stage?.latencyMs).toMatchObject({ mean: 90, max: 150 });
  });
});

function rewritten(...latenciesMs: readonly number[]): Outcome {
  const stages: readonly StageCost[] = latenciesMs.map((latencyMs) => ({
    stage: 'rewrite',
    type: 'llm',
    latencyMs,
    searches: 0,
    pairsReranked: 0,
    modelCalls: 1,
    promptTokens: 7,
    completionTokens: 3,
  }));
  return {
    configuration: 0,
    question: 0,
    questionId: 'q1',
    hits: [],
    error: null,
    latencyMs: 0,
    attempts: 0,
    searches: 0,
    pairsReranked: 0,
    modelCalls: latenciesMs.length,
    promptTokens: 0,
    completionTokens: 0,
    trace: { versions: [], stages, fallbacks: [] },
  };
}
