import { describe, expect, it } from 'vitest';
import type { z } from 'zod';

import { averageOf, tellAverage } from '../../../src/model/average-rule.ts';
import { EvaluationPlan } from '../../../src/model/evaluation-plan.ts';
import { GateDecision } from '../../../src/model/gate.ts';
import { Question } from '../../../src/model/question.ts';
import { StoredScorecard, type ScorecardRow } from '../../../src/model/scorecard.ts';
import { SearchConfiguration } from '../../../src/model/search-configuration.ts';
import { parseTrace } from '../../../src/storage/evaluations/stored-trace.ts';

/** As the first release of each noun stored them: without the fields that came later. */
const plan = { measures: ['RR'], sliceBy: ['kind'] };

const gate = {
  baseline: { name: 'main', evaluation: 'e0', configuration: 'c' },
  measures: ['RR'],
  maxDrop: 0.02,
  allowedFailedShare: 0,
  minJudged: null,
  slices: [],
  sliceMaxDrop: 0.02,
  minSliceQuestions: 20,
  confidence: 0.95,
  hash: 'abc',
};

const row = {
  configuration: 'c',
  backend: 'local',
  questions: { scored: 2, empty: 0, failed: 1, unanswerable: 0 },
  measures: { RR: 0.5, 'nDCG@10': null },
  slices: { kind: { exact: { questions: 2, measures: { RR: 0.5 } } } },
  leaks: { questions: 0, documents: 0 },
  failures: [{ code: 'retriever-failed', detail: 'refused', questions: 1 }],
  usage: { searches: 3, searchAttempts: 4, pairsReranked: 0, modelCalls: 0 },
  latencyMs: { mean: 1, p50: 1, p95: 2, max: 2 },
  warnings: [],
};

const bcaInterval = {
  method: 'bca-bootstrap',
  confidence: 0.95,
  low: 0.4,
  high: 0.6,
  percentile: { low: 0.41, high: 0.59 },
  resamples: 2000,
  seed: 1,
};

const check = {
  questions: 2,
  means: { baseline: 0.5, candidate: 0.4 },
  meanDifference: -0.1,
  bounds: { t: { low: -0.2, high: 0 }, bca: null },
  lowerBound: -0.2,
  upperBound: 0,
  pLarger: 0.2,
  isTooFew: true,
  measure: 'RR',
  slice: null,
  maxDrop: 0.02,
  pAdjusted: 0.2,
  isCounted: true,
  verdict: 'inconclusive',
  notes: [],
};

const decision = {
  verdict: 'inconclusive',
  detail: 'too few questions',
  configurations: [
    {
      configuration: 'c',
      verdict: 'inconclusive',
      detail: 'too few questions',
      obstacles: [],
      failedShare: { baseline: 0, candidate: 0 },
      judged: null,
      checks: [check],
    },
  ],
};

const judgment = {
  documentId: 'D1',
  grade: 2,
  judge: null,
  judgedAt: '2026-01-01T00:00:00.000Z',
  documentVersion: null,
  note: null,
};

const question = {
  id: 'q1',
  text: 'asked',
  tags: [],
  answerable: true,
  forbidden: [],
  judgments: [judgment],
};

const configuration = {
  backend: 'local',
  corpus: 'c',
  method: 'bm25',
  chunking: { strategy: 'sections' },
  candidates: 8,
  rrfK: 60,
  depth: 100,
  filters: [],
  users: {},
};

describe('a row of an earlier release is still read', () => {
  it.each<[string, z.ZodType, unknown]>([
    [
      'plan without average, intervals, bounds, diagnosis, ablations and gate',
      EvaluationPlan,
      plan,
    ],
    ['plan with a gate without fallback share and strength', EvaluationPlan, { ...plan, gate }],
    ['scorecard without average, counts of tokens and pipeline', StoredScorecard, [row]],
    [
      'scorecard with a warning without severity, of a code that is unknown now',
      StoredScorecard,
      [{ ...row, warnings: [{ code: 'retired', message: 'm', questions: 1 }] }],
    ],
    ['scorecard with BCa intervals', StoredScorecard, [{ ...row, intervals: { RR: bcaInterval } }]],
    ['decision without strength, guarantee and fallback share', GateDecision, decision],
    ['question without history and source of its judgments', Question, question],
    ['configuration without a pipeline', SearchConfiguration, configuration],
    [
      'configuration with a re-ranker that does not say what it reads',
      SearchConfiguration,
      { ...configuration, pipeline: { rerank: { type: 'lexical' } } },
    ],
  ])('%s', (_case, schema, value) => {
    expect(schema.safeParse(value)).toEqual({ success: true, data: value });
  });

  it('means over the whole set, as evaluations did before the choice', () => {
    expect(averageOf(EvaluationPlan.parse(plan))).toBe('set');
    expect(tellAverage(row as unknown as ScorecardRow)).toMatchObject({
      average: 'set',
      averagedQuestions: 2,
    });
  });

  it('trace without fallbacks, prompt hashes, replies and cut', () => {
    const text = JSON.stringify({
      documents: ['A', 'B'],
      versions: [{ kind: 'original', ranking: [0, -1, 1] }],
      stages: [['search', 'local', 1.5, 1, 0, 0, 0, 0]],
    });

    expect(parseTrace(text, { table: 'outcome', column: 'trace', row: 'e/0/0' })).toMatchObject({
      versions: [{ kind: 'original', ranking: ['A', null, 'B'] }],
      stages: [{ stage: 'search', type: 'local', latencyMs: 1.5, searches: 1 }],
      fallbacks: [],
    });
  });
});

describe('a row of another shape is not read', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['plan without measures', EvaluationPlan, { sliceBy: [] }],
    ['scorecard that is one row', StoredScorecard, row],
    [
      'scorecard with a mean that is a text',
      StoredScorecard,
      [{ ...row, measures: { RR: '0.5' } }],
    ],
    ['decision with an unknown verdict', GateDecision, { ...decision, verdict: 'maybe' }],
    ['question without judgments', Question, { ...question, judgments: undefined }],
    ['configuration of an unknown backend', SearchConfiguration, { backend: 'other' }],
  ])('%s', (_case, schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});
