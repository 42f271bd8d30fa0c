import { describe, expect, it } from 'vitest';

import type { PipelineTrace } from '../../../../src/model/pipeline-trace.ts';
import { formatTrace, parseTrace } from '../../../../src/storage/evaluations/stored-trace.ts';

const spent = { latencyMs: 1.5, searches: 2, pairsReranked: 3, modelCalls: 4 };
const tokens = { promptTokens: 5, completionTokens: 6 };

const trace: PipelineTrace = {
  versions: [
    { kind: 'original', ranking: ['A', null, 'B'] },
    { kind: 'llm', text: 'other words', droppedCodes: ['prc-112'], ranking: ['B', 'C'] },
    { kind: 'hyde', ranking: null },
  ],
  fused: ['B', 'A', 'C', null],
  candidates: 2,
  reranked: ['A', 'B'],
  stages: [
    { stage: 'rewrite', type: 'llm', ...spent, ...tokens, promptHash: '0123456789abcdef' },
    { stage: 'search', type: 'local', ...spent, ...tokens },
  ],
  fallbacks: [{ stage: 'search', type: 'hyde', code: 'timeout', detail: 'late' }],
};

const place = { table: 'outcome', column: 'trace', row: 'e/0/0' } as const;

describe('a stored trace', () => {
  it.each([
    ['with all parts', trace],
    ['with none', { versions: [{ kind: 'original', ranking: [] }], stages: [], fallbacks: [] }],
  ] satisfies [string, PipelineTrace][])('%s comes back as it was', (_case, each) => {
    expect(parseTrace(formatTrace(each), place)).toStrictEqual(each);
  });

  it('holds an id once, so that a deep one of four versions stays below 5 kB', () => {
    const ids = Array.from({ length: 130 }, (_, index) => `manual-${1000 + index}.pdf`);
    const rank = (from: number) => ids.slice(from, from + 100);
    const deep: PipelineTrace = {
      ...trace,
      versions: [0, 10, 20, 30].map((from) => ({ kind: 'original', ranking: rank(from) })),
      fused: rank(0),
      reranked: rank(0).slice(0, 20),
    };

    expect(formatTrace(deep).length).toBeLessThan(5000);
  });
});
