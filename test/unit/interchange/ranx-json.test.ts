import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { formatRanxHits, formatRanxJudgments } from '../../../src/ir/interchange/ranx-json.ts';
import { readJudgments } from '../../../src/interchange/read-judgments.ts';
import { readRun } from '../../../src/interchange/read-run.ts';
import { anyGrade, anyScore, plainId } from './ids.ts';
import { readAll } from './read-all.ts';

const qrels = fc
  .uniqueArray(
    fc.tuple(
      plainId,
      fc.uniqueArray(fc.tuple(plainId, anyGrade), { selector: ([id]) => id, maxLength: 5 }),
    ),
    { selector: ([id]) => id, maxLength: 4 },
  )
  .map((questions) => new Map(questions.map(([id, grades]) => [id, new Map(grades)])));

const run = fc
  .uniqueArray(
    fc.tuple(
      plainId,
      fc.uniqueArray(fc.record({ documentId: plainId, score: anyScore }), {
        selector: ({ documentId }) => documentId,
        maxLength: 5,
      }),
    ),
    { selector: ([id]) => id, maxLength: 4 },
  )
  .map((questions) => new Map(questions));

describe('ranx qrels', () => {
  it('come back as they were written', async () => {
    await fc.assert(
      fc.asyncProperty(qrels, async (judged) => {
        const members = [...judged].map(([id, judgments]) => formatRanxJudgments(id, judgments));
        const { values } = await readAll(readJudgments, `{${members.join(',')}}`);

        expect(values).toEqual(
          [...judged].flatMap<object>(([questionId, grades]) =>
            grades.size === 0
              ? [{ questionId, grade: null }]
              : [...grades].map(([documentId, grade]) => ({ questionId, documentId, grade })),
          ),
        );
      }),
    );
  });

  it('cannot hold a fraction of a grade', () => {
    expect(() => formatRanxJudgments('q1', new Map([['D1', 0.5]]))).toThrow(
      'is not a whole number',
    );
  });
});

describe('a ranx run', () => {
  it('comes back as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(run, async (ranked) => {
        const members = [...ranked].map(([id, hits]) => formatRanxHits(id, hits));
        const { values } = await readAll(readRun, `{${members.join(',')}}`);

        expect(values).toEqual(
          [...ranked].flatMap<object>(([questionId, hits]) =>
            hits.length === 0
              ? [{ questionId, score: null }]
              : hits.map((hit) => ({ questionId, ...hit })),
          ),
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
});
