import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { judgeRanking } from '../../../../src/ir/measures/judged-ranking.ts';
import { orderAsTrec } from '../../../../src/ir/trec/order-as-trec.ts';
import { parseQrelsLine, type QrelsEntry } from '../../../../src/ir/trec/qrels-line.ts';
import { parseRunLine, type RunEntry } from '../../../../src/ir/trec/run-line.ts';
import { goldenFiles } from '../measures/golden.ts';
import { getMeasure } from '../unjudged/brute-force.ts';
import { readQrels, scoreFiles, type TrecFiles } from './feed.ts';

/** Fast ones and general ones, with and without a cut-off. */
const names = [
  'nDCG@10',
  'nDCG',
  'nDCG@2',
  'AP',
  'AP(rel=2)@3',
  'RR',
  'RR(rel=2)',
  'RR@2',
  'R@100',
  'R(rel=2)@2',
  'P@10',
  'P@2',
  'bpref',
  'ERR@3',
  'judged@3',
  'nDCG(judged)@2',
  'AP(rel=2,judged)@3',
  'RR(judged)',
  'R(judged)@2',
  'P(judged)@2',
  'ERR(judged)@3',
];

describe.each([...goldenFiles])('golden results of trec_eval: %s', (_name, golden) => {
  const files = {
    qrels: Object.entries(golden.qrels)
      .flatMap(([question, grades]) =>
        Object.entries(grades).map(([document, grade]) => `${question} 0 ${document} ${grade}\n`),
      )
      .join(''),
    run: Object.entries(golden.run)
      .flatMap(([question, hits]) =>
        hits.map(([document, score]) => `${question} Q0 ${document} 1 ${score} t\n`),
      )
      .join(''),
  };

  it.each(
    [
      ['nDCG@10', 'ndcg_cut_10'],
      ['nDCG', 'ndcg'],
      ['AP', 'map'],
      ['RR', 'recip_rank'],
      ['R@100', 'recall_100'],
      ['P@10', 'P_10'],
      ['bpref', 'bpref'],
      ['nDCG(judged)@10', 'ndcg_cut_10', 'trec_eval_judgedOnly'],
      ['AP(judged)', 'map', 'trec_eval_judgedOnly'],
      ['RR(judged)', 'recip_rank', 'trec_eval_judgedOnly'],
      ['R(judged)@10', 'recall_10', 'trec_eval_judgedOnly'],
      ['P(judged)@10', 'P_10', 'trec_eval_judgedOnly'],
      ['setP(judged)', 'set_P', 'trec_eval_judgedOnly'],
    ].filter(([, , tool = 'trec_eval']) => tool in golden.expected),
  )('%s is %s', (name, nameThere, tool) => {
    const { values, questionIds } = scoreFiles(files, [name ?? ''], 100);
    const printed = golden.expected[tool ?? 'trec_eval']?.[nameThere ?? ''];
    const byQuestion = questionIds.map((id, question) => [id, values[0]?.values[question]]);
    const expected = questionIds.map((id) => [
      id,
      expect.closeTo(printed?.perQuery[id] ?? 0, 12) as number,
    ]);
    expect(byQuestion).toEqual(expected);
    expect(values[0]?.mean).toBeCloseTo(printed?.all ?? Number.NaN, 12);
  });
});

/** Question, document, number: in usual forms and in all others that the text parsers take. */
const questionId = fc.constantFrom('q1', 'q2', 'q3', 'ä', '7', 'q11');
const documentId = fc.constantFrom(
  'D1',
  'D2',
  'D10',
  'd1',
  'Ａ',
  '😀',
  'é',
  'x\u0000y',
  'x\u001fy',
  'D3',
);
const scoreText = fc.constantFrom(
  '1',
  '1.0',
  '-2.5',
  '+3',
  '0',
  '-0.0',
  '.5',
  '5.',
  '1e2',
  '0.1',
  '0.10000000000000001',
  '123456789012345678',
  '30.0716',
  '0.3',
  '1E-5',
);
const gradeText = fc.constantFrom('0', '1', '2', '3', '-1', '+2', '007', '-0');
const blank = fc.constantFrom(' ', '\t', '  ', ' \u000b', '\f');
const lineEnd = fc.constantFrom('\n', '\n', '\r\n', ' \n', '\n\n', '\n# a comment\n');

const qrels = lines(
  fc.tuple(questionId, fc.constantFrom('0', 'Q0'), documentId, gradeText),
  ([question, , document]) => `${question} ${document}`,
);
const run = lines(
  fc.tuple(
    questionId,
    fc.constant('Q0'),
    documentId,
    fc.constantFrom('1', 'x'),
    scoreText,
    fc.constant('t'),
  ),
  ([question, , document]) => `${question} ${document}`,
);

describe('scoreRun', () => {
  it('gives what the text parsers and the measures give, however the files are cut', () => {
    fc.assert(
      fc.property(qrels, run, fc.integer({ min: 1, max: 60 }), (qrelsText, runText, chunkSize) => {
        const files = { qrels: qrelsText, run: runText };
        const { values, questionIds } = scoreFiles(files, names, chunkSize);
        const expected = scoreAsText(files, names);
        expect(questionIds).toEqual([...expected.keys()]);
        expect(values.map((each) => [each.name, ...each.values])).toEqual(
          names.map((name, index) => [name, ...[...expected.values()].map((row) => row[index])]),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('holds many questions, long rankings and many judgments', () => {
    const count = 3_000;
    const judged = Array.from({ length: count }, (_, index) => `big 0 d${index * 2} ${index % 4}`);
    const hits = Array.from(
      { length: count },
      (_, index) => `big Q0 d${index} 1 ${(index * 7919) % 1_009} t`,
    );
    const small = Array.from({ length: 6_000 }, (_, index) => `q${index}`);
    const files = {
      qrels: [...judged, ...small.map((id) => `${id} 0 a 1`)].join('\n'),
      run: [...hits, ...small.flatMap((id) => [`${id} Q0 b 1 2 t`, `${id} Q0 a 2 1 t`])].join('\n'),
    };
    const { values } = scoreFiles(files, names, 1_000);
    const expected = [...scoreAsText(files, names).values()];
    expect(values.map((each) => [...each.values])).toEqual(
      names.map((_, index) => expected.map((row) => row[index])),
    );
  });

  it('ignores questions without judgments and counts them', () => {
    const files = {
      qrels: 'q1 0 D1 1\n',
      run: 'q2 Q0 D1 1 2 t\nq2 Q0 D2 1 1 t\nq3 Q0 D1 1 2e0 t\nq1 Q0 D1 1 1 t\n',
    };
    const { values, ignored } = scoreFiles(files, ['P@1']);
    expect([...(values[0]?.values ?? [])]).toEqual([1]);
    expect(ignored).toBe(2);
  });

  it('has no mean without questions', () => {
    const { values } = scoreFiles({ qrels: '', run: 'q1 Q0 D1 1 1 t' }, ['P@1']);
    expect(values).toEqual([{ name: 'P@1', values: new Float64Array(0), mean: undefined }]);
  });

  it('drops a byte order mark at the start of a file', () => {
    const files = { qrels: '\uFEFFq1 0 D1 1\n', run: '\uFEFFq1 Q0 D1 1 1 t\n' };
    expect(scoreFiles(files, ['P@1']).values[0]?.mean).toBe(1);
  });

  it.each([
    [
      'a document twice',
      'q1 Q0 D1 1 2 t\nq2 Q0 D1 1 2 t\nq1 Q0 D1 2 1 t\n',
      "duplicate document 'D1' in question 'q1'",
    ],
    [
      'a score that is no number',
      'q1 Q0 D1 1 2 t\nq1 Q0 D2 1 abc t\n',
      "line 2: the score 'abc' is not a finite number",
    ],
    ['a missing column', '\nq1 Q0 D1 1 2\n', 'line 2: 5 columns instead of 6'],
    [
      'a byte order mark inside',
      'q1 Q0 D1 1 2 t\n\uFEFFq1 Q0 D2 1 2 t\n',
      'line 2: the question id starts with a byte order mark',
    ],
    [
      'a comment that is an entry',
      '#1 Q0 D1 1 2 t\n',
      'line 1: a line that starts with # is a comment',
    ],
    ['an endless line', 'x'.repeat(2 ** 21), 'a line is longer than 1048576 bytes'],
  ])('refuses %s in a run', (_what, text, message) => {
    const files = { qrels: 'q1 0 D1 1\nq2 0 D1 1\n', run: text };
    expect(() => scoreFiles(files, ['P@1'], 2 ** 16)).toThrow(message);
  });

  it.each([
    [
      'a document twice',
      'q1 0 D1 1\nq2 0 D1 1\nq1 0 D1 1\n',
      "duplicate document 'D1' in question 'q1'",
    ],
    [
      'a grade that is a fraction',
      'q1 0 D1 0.5\n',
      "line 1: the grade '0.5' is not a whole number",
    ],
    ['a grade that is no number', 'q1 0 D1 x\n', "line 1: the grade 'x' is not a whole number"],
    ['an additional column', 'q1 0 D1 1 1\n', 'line 1: 5 columns instead of 4'],
  ])('refuses %s in qrels', (_what, text, message) => {
    expect(() => readQrels(text)).toThrow(message);
  });

  it('takes a whole number that is written with a decimal point', () => {
    expect(() => readQrels('q1 0 D1 1.0\n')).not.toThrow();
  });
});

/** Lines with each key once, joined by blanks and ended in various ways; the last one may have no end. */
function lines(
  columns: fc.Arbitrary<readonly string[]>,
  toKey: (columns: readonly string[]) => string,
): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.uniqueArray(columns, { selector: toKey, maxLength: 25 }),
      blank,
      fc.array(lineEnd, { minLength: 25, maxLength: 25 }),
      fc.boolean(),
    )
    .map(([rows, separator, ends, isEnded]) => {
      const text = rows.map((row, index) => `${row.join(separator)}${ends[index]}`).join('');
      return isEnded ? text : text.trimEnd();
    });
}

/** The measures by question, in order of first appearance in the qrels. */
function scoreAsText({ qrels: qrelsText, run: runText }: TrecFiles, measures: readonly string[]) {
  const judged = groupEntries<QrelsEntry>(qrelsText, parseQrelsLine);
  const hits = groupEntries<RunEntry>(runText, parseRunLine);
  const grades = [...judged.values()].flat().map(({ grade }) => grade);
  const context = { maxGrade: Math.max(0, ...grades) };
  return new Map(
    [...judged].map(([question, entries]) => {
      const judgments = new Map(entries.map(({ documentId: id, grade }) => [id, grade]));
      const ranking = orderAsTrec(hits.get(question) ?? []).map(({ documentId: id }) => id);
      const ranked = judgeRanking(ranking, judgments);
      return [question, measures.map((name) => getMeasure(name).compute(ranked, context))];
    }),
  );
}

function groupEntries<Entry extends { readonly questionId: string }>(
  text: string,
  parse: (line: string) => Entry | undefined,
): ReadonlyMap<string, readonly Entry[]> {
  const entries = text.split('\n').flatMap((line) => parse(line) ?? []);
  return Map.groupBy(entries, ({ questionId: id }) => id);
}
