import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { highestGrade } from '../../../../src/ir/measures/expected-reciprocal-rank.ts';
import { judgeRanking, type JudgedRanking } from '../../../../src/ir/measures/judged-ranking.ts';
import { parseMeasure } from '../../../../src/ir/measures/parse-measure.ts';

const documentIds = ['D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7', 'D8'];

/** A name of every family, graded and binary, with and without a cut-off. */
const bounded = [
  'hit@3',
  'P@3',
  'R@3',
  'F1@3',
  'RR',
  'RR@3',
  'AP',
  'AP@3',
  'nDCG',
  'nDCG@3',
  'nDCG-exp',
  'nDCG-exp@3',
  'Rprec',
  'bpref',
  'infAP',
  'RBP(0.8)',
  'RBP(0.000000000000001)',
  'RBP(0.999999999999999)',
  'ERR',
  'ERR@3',
  'setP',
  'setR',
  'setF1',
  'judged@3',
  'P(rel=2)@3',
  'AP(rel=2)',
  'bpref(rel=2)',
  'infAP(rel=2)',
  'RBP(0.5,rel=2)',
];
const cutMeasures = bounded.filter((name) => name.includes('@')).concat('DCG@3');

const grades = fc.oneof(fc.integer({ min: -2, max: 4 }), fc.integer({ min: -9, max: 3_000 }));
const judgments = fc
  .dictionary(fc.constantFrom(...documentIds), grades)
  .map((byDocument) => new Map(Object.entries(byDocument)));
const ranking = fc
  .shuffledSubarray(documentIds)
  .chain((ids) =>
    fc
      .array(fc.boolean(), { minLength: ids.length, maxLength: ids.length })
      .map((isMapped) => ids.map((id, index) => (isMapped[index] ? id : null))),
  );

describe('judgeRanking', () => {
  it('gives the grade of each rank, and all grades falling', () => {
    const grade = new Map([
      ['D1', 2],
      ['D2', 0],
      ['D3', -1],
      ['D9', 3],
    ]);
    expect(judgeRanking(['D7', 'D2', null, 'D1', 'D3'], grade)).toEqual({
      grades: [null, 0, null, 2, -1],
      judged: [3, 2, 0, -1],
    });
  });

  it('refuses to credit a document twice', () => {
    expect(() => judgeRanking(['D1', 'D2', 'D1'], new Map([['D1', 1]]))).toThrow(
      "duplicate document 'D1' in one ranking",
    );
  });
});

describe('highestGrade', () => {
  it.each([
    [[[0, 3], [1]], 3],
    [[[-1], [0]], 0],
    [[[-2]], 0],
    [[], 0],
  ])('of questions judged %j is %d', (questions, expected) => {
    const qrels = new Map(
      questions.map((each, question) => [
        `q${question}`,
        new Map(each.map((grade, document) => [`D${document}`, grade])),
      ]),
    );
    expect(highestGrade(qrels)).toBe(expected);
  });
});

describe('every measure', () => {
  it.each([...bounded, 'DCG', 'DCG@3'])('%s is 0 when nothing was retrieved', (name) => {
    expect(compute(name, judgeRanking([], new Map([['D1', 1]])))).toBe(0);
  });

  it.each([...bounded, 'DCG', 'DCG@3'].filter((name) => !name.startsWith('judged')))(
    '%s is 0 when nothing is relevant',
    (name) => {
      expect(compute(name, judgeRanking(['D1', 'D2'], new Map([['D1', 0]])))).toBe(0);
    },
  );

  it.each(bounded)('%s stays within 0 and 1', (name) => {
    fc.assert(
      fc.property(ranking, judgments, (documents, byDocument) => {
        const value = compute(name, judgeRanking(documents, byDocument));
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }),
    );
  });

  it.each(['DCG', 'DCG@3'])('%s is not negative', (name) => {
    fc.assert(
      fc.property(ranking, judgments, (documents, byDocument) => {
        expect(compute(name, judgeRanking(documents, byDocument))).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it.each(cutMeasures)('%s does not look below its cut-off', (name) => {
    fc.assert(
      fc.property(ranking, judgments, (documents, byDocument) => {
        fc.pre(documents.length >= 3);
        const whole = judgeRanking(documents, byDocument);
        const top = judgeRanking(documents.slice(0, 3), byDocument);
        expect(compute(name, whole)).toBe(compute(name, top));
      }),
    );
  });

  it.each(cutMeasures)(
    '%s does not change when unmapped entries come below its cut-off',
    (name) => {
      fc.assert(
        fc.property(ranking, judgments, fc.nat({ max: 5 }), (documents, byDocument, added) => {
          fc.pre(documents.length >= 3);
          const longer = [...documents, ...Array.from({ length: added }, () => null)];
          expect(compute(name, judgeRanking(longer, byDocument))).toBe(
            compute(name, judgeRanking(documents, byDocument)),
          );
        }),
      );
    },
  );
});

describe('nDCG', () => {
  const names = ['nDCG', 'nDCG@1', 'nDCG@3', 'nDCG@5', 'nDCG-exp', 'nDCG-exp@3'];

  it.each(names)('%s of the ideal order is 1', (name) => {
    fc.assert(
      fc.property(judgments, (byDocument) => {
        const ideal = [...byDocument].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
        fc.pre([...byDocument.values()].some((grade) => grade > 0));
        expect(compute(name, judgeRanking(ideal, byDocument))).toBe(1);
      }),
    );
  });

  it.each(names)('%s does not rise when a worse document moves above a better one', (name) => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(documentIds, { minLength: 2 }),
        judgments,
        fc.nat(),
        fc.nat(),
        (documents, byDocument, i, j) => {
          const [upper, lower] = [i % documents.length, j % documents.length].toSorted(
            (a, b) => a - b,
          ) as [number, number];
          const gradeAt = (rank: number) => byDocument.get(documents[rank]!) ?? 0;
          fc.pre(gradeAt(upper) >= gradeAt(lower));
          const swapped = documents.with(upper, documents[lower]!).with(lower, documents[upper]!);
          const before = compute(name, judgeRanking(documents, byDocument));
          const after = compute(name, judgeRanking(swapped, byDocument));
          expect(after).toBeLessThanOrEqual(before + 1e-12);
        },
      ),
    );
  });

  // A ranking longer than any table of discounts: the only relevant document at rank 5,000.
  it('discounts a deep rank by log2(rank + 1)', () => {
    const documents = [...Array.from({ length: 4_999 }, () => null), 'D1'];
    const value = compute('nDCG', judgeRanking(documents, new Map([['D1', 3]])));
    expect(value).toBeCloseTo(1 / Math.log2(5_001), 12);
  });
});

describe('rounding', () => {
  // Inputs found by search whose sums, left alone, end one bit above 1.
  it('does not lift RBP above 1', () => {
    const documents = Array.from({ length: 9 }, (_, index) => `D${index}`);
    const byDocument = new Map(documents.map((documentId) => [documentId, 1]));
    expect(compute('RBP(0.014)', judgeRanking(documents, byDocument))).toBe(1);
  });

  it('does not lift nDCG above 1', () => {
    const byDocument = new Map([
      ['D1', 3_104_699_970_632_288],
      ['D2', 3_104_699_970_632_286],
      ['D3', 3_104_699_970_632_287],
    ]);
    expect(compute('nDCG', judgeRanking(['D1', 'D2', 'D3'], byDocument))).toBe(1);
  });

  it('does not make nDCG-exp and ERR overflow at grades beyond 2^1024', () => {
    const judged = judgeRanking(['D1'], new Map([['D1', 3_000]]));
    expect(compute('nDCG-exp', judged)).toBe(1);
    expect(compute('ERR', judged)).toBe(1);
  });
});

describe('ERR', () => {
  it('takes the question’s own highest grade when the question set is said to have a lower one', () => {
    const judged = judgeRanking(['D1'], new Map([['D1', 2]]));
    // (2^2 − 1) / 2^2
    expect(parseMeasure('ERR')!.compute(judged, { maxGrade: 0 })).toBe(0.75);
  });
});

function compute(name: string, judged: JudgedRanking): number {
  return parseMeasure(name)!.compute(judged, { maxGrade: Math.max(0, judged.judged[0] ?? 0) });
}
