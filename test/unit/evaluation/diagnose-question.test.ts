import { describe, expect, it } from 'vitest';

import { diagnoseQuestion } from '../../../src/evaluation/diagnosis/diagnose-questions.ts';
import type { PipelineTrace } from '../../../src/model/pipeline-trace.ts';
import type { Question } from '../../../src/model/question.ts';
import { type Outcome, noCost } from '../../../src/model/outcome.ts';

const judge = (documentId: string, grade: number) => ({
  documentId,
  grade,
  judge: null,
  judgedAt: '2026-11-30T06:00:00.000Z',
  documentVersion: null,
  note: null,
});
const question: Question = {
  id: 'q',
  text: 'question',
  tags: [],
  answerable: true,
  forbidden: [],
  judgments: [
    judge('a', 2),
    judge('d', 1),
    judge('e', 1),
    judge('f', 1),
    judge('x', 1),
    judge('n', 0),
  ],
};
const hit = (documentId: string | null) => ({ documentId, chunkId: null, score: null });
const makeOutcome = (final: (string | null)[], trace?: Partial<PipelineTrace>): Outcome => ({
  ...noCost,
  configuration: 0,
  question: 0,
  questionId: 'q',
  hits: final.map(hit),
  error: null,
  trace: trace && { versions: [], stages: [], fallbacks: [], ...trace },
});
const options = { k: 2, relevantFrom: 1 };
const causesOf = (outcome: Outcome) =>
  diagnoseQuestion(question, outcome, options)?.lost.map(
    ({ documentId, cause }) => `${documentId} ${cause}`,
  );

const trace = {
  versions: [
    { kind: 'original', ranking: ['a', 'b', null, 'd', 'e'] },
    { kind: 'glossary', text: 'other', ranking: ['b', 'f', 'c'] },
    { kind: 'llm', text: 'failed', ranking: null },
  ],
  fused: ['b', 'a', 'c', 'd', 'f', 'e', null],
  candidates: 4,
  reranked: ['c', 'b', 'd', 'a'],
} as const;

describe('diagnoseQuestion', () => {
  it('follows a document through the versions, the fused list and the candidates', () => {
    expect(causesOf(makeOutcome(['c', 'b', 'd', 'a', 'f', 'e', null], trace))).toEqual([
      'a lost-in-rerank',
      'd below-k',
      'e below-depth',
      'f lost-in-fusion',
      'x absent',
    ]);
  });

  it('reads a re-ranker that gave up as none', () => {
    const { reranked: _none, ...fallen } = trace;
    expect(causesOf(makeOutcome(['b', 'a', 'c', 'd', 'f', 'e', null], fallen))).toEqual([
      'd below-k',
      'e below-k',
      'f lost-in-fusion',
      'x absent',
    ]);
  });

  it('takes one version for the fused list', () => {
    const single = { versions: trace.versions.slice(0, 1), candidates: 2, reranked: ['b', 'a'] };
    expect(causesOf(makeOutcome(['b', 'a', null, 'd'], single))).toEqual([
      'd below-depth',
      'e below-depth',
      'f absent',
      'x absent',
    ]);
  });

  it('takes the ranking for everything where there was no pipeline', () => {
    expect(causesOf(makeOutcome([null, 'a', 'd']))).toEqual([
      'd below-k',
      'e absent',
      'f absent',
      'x absent',
    ]);
  });

  it('knows ids in another normal form', () => {
    const composed = { ...question, judgments: [judge('é', 1)] };
    const outcome = makeOutcome(['e\u0301']);
    expect(diagnoseQuestion(composed, outcome, options)?.lost).toEqual([]);
  });

  it.each([
    [{ ...question, user: undefined }, 'none'],
    [{ ...question, user: 'anna' }, 'not-asked'],
    [{ ...question, user: 'anna', judgments: [judge('a', 1)] }, 'not-needed'],
  ])('says whether more could be known (%#)', (asked, state) => {
    const outcome = makeOutcome(['b', 'c', 'a']);
    expect(diagnoseQuestion(asked, outcome, options)?.unfiltered).toBe(state);
  });

  it('leaves out what failed and what nothing answers', () => {
    const failed = { ...makeOutcome([]), hits: null };
    expect(diagnoseQuestion(question, failed, options)).toBeUndefined();
    const unanswerable = { ...question, answerable: false };
    expect(diagnoseQuestion(unanswerable, makeOutcome(['a']), options)).toBeUndefined();
  });
});
