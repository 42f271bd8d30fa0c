import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  formatRanxHits,
  formatRanxJudgments,
  parseRanxQrels,
  parseRanxRun,
} from '../../../../src/ir/interchange/ranx-json.ts';
import { anyGrade, anyId, anyScore } from './ids.ts';

const qrels = fc
  .uniqueArray(
    fc.tuple(
      anyId,
      fc.uniqueArray(fc.tuple(anyId, anyGrade), { selector: ([id]) => id, maxLength: 5 }),
    ),
    { selector: ([id]) => id, maxLength: 4 },
  )
  .map((questions) => new Map(questions.map(([id, grades]) => [id, new Map(grades)])));

const run = fc
  .uniqueArray(
    fc.tuple(
      anyId,
      fc.uniqueArray(fc.record({ documentId: anyId, score: anyScore }), {
        selector: ({ documentId }) => documentId,
        maxLength: 5,
      }),
    ),
    { selector: ([id]) => id, maxLength: 4 },
  )
  .map((questions) => new Map(questions));

describe('ranx qrels', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(qrels, (judged) => {
        const members = [...judged].map(([id, judgments]) => formatRanxJudgments(id, judgments));
        expect(parseRanxQrels(JSON.parse(`{${members.join(',')}}`))).toEqual(judged);
      }),
    );
  });

  it('are read as ranx documents them', () => {
    // ranx, "Qrels and Run" in its documentation: q_1 with d_12 and d_25.
    const value = JSON.parse('{ "q_1": { "d_12": 5, "d_25": 3 }, "q_2": {} }') as unknown;
    expect(parseRanxQrels(value)).toEqual(
      new Map([
        [
          'q_1',
          new Map([
            ['d_12', 5],
            ['d_25', 3],
          ]),
        ],
        ['q_2', new Map()],
      ]),
    );
  });

  it.each([
    [[], 'the file is not a JSON object'],
    [null, 'the file is not a JSON object'],
    [{ q1: 1 }, "question 'q1' is not a JSON object"],
    [{ q1: { D1: 1.5 } }, "the grade '1.5' is not a whole number"],
    [{ q1: { D1: '1' } }, 'is not a whole number'],
    [{ q1: { D1: undefined } }, 'is not a whole number'],
    [{ '': { D1: 1 } }, 'the question id is empty'],
    [{ q1: { '': 1 } }, 'the document id is empty'],
  ])('refuse %j', (value, message) => {
    expect(() => parseRanxQrels(value)).toThrow(message);
  });

  it('cannot hold a fraction of a grade', () => {
    expect(() => formatRanxJudgments('q1', new Map([['D1', 0.5]]))).toThrow(
      'is not a whole number',
    );
  });
});

function byDocument(
  hits: readonly { readonly documentId: string; readonly score: number }[],
): ReadonlyMap<string, number> {
  return new Map(hits.map(({ documentId, score }) => [documentId, score]));
}

describe('a ranx run', () => {
  it('comes back as it was written, but for the order of the hits', () => {
    fc.assert(
      fc.property(run, (ranked) => {
        const members = [...ranked].map(([id, hits]) => formatRanxHits(id, hits));
        const read = parseRanxRun(JSON.parse(`{${members.join(',')}}`));
        expect(new Map([...read].map(([id, hits]) => [id, byDocument(hits)]))).toEqual(
          new Map([...ranked].map(([id, hits]) => [id, byDocument(hits)])),
        );
      }),
    );
  });

  it.each([Number.NaN, Infinity])('cannot hold the score %d', (score) => {
    expect(() => formatRanxHits('q1', [{ documentId: 'D1', score }])).toThrow(
      'is not a finite number',
    );
  });

  it('cannot hold a document twice', () => {
    const hits = [1, 2].map((score) => ({ documentId: 'D1', score }));
    expect(() => formatRanxHits('q1', hits)).toThrow("duplicate document in question 'q1'");
  });

  it('is refused with a score that is not a number', () => {
    expect(() => parseRanxRun({ q1: { D1: null } })).toThrow(
      "the score 'null' is not a finite number",
    );
  });
});
