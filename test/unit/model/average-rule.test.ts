import { describe, expect, it } from 'vitest';

import { averageOf, tellAverage } from '../../../src/model/average-rule.ts';
import type { ScorecardRow } from '../../../src/model/scorecard.ts';

const old: ScorecardRow = {
  configuration: 'bm25',
  backend: 'local',
  questions: { scored: 64, empty: 0, failed: 0, unanswerable: 0 },
  measures: { 'P@30': 0.1578 },
  slices: {},
  leaks: { questions: 0, documents: 0 },
  failures: [],
  usage: { searches: 64, searchAttempts: 64, pairsReranked: 0, modelCalls: 0 },
  latencyMs: null,
  warnings: [],
};

describe('the rule of means', () => {
  it('of an evaluation that is older than the choice is the one by which it was made', () => {
    expect(averageOf({})).toBe('set');
    expect(averageOf({ average: 'labelled' })).toBe('labelled');
  });

  it('is told of an old row, with its numbers as they were and no count that was not made', () => {
    expect(tellAverage(old)).toEqual({ ...old, average: 'set', averagedQuestions: 64 });
  });

  it('is that of the row where it has one', () => {
    const row = { ...old, average: 'answerable', averagedQuestions: 52 } as const;
    expect(tellAverage(row)).toEqual(row);
  });
});
