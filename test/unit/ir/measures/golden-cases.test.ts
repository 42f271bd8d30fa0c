import { describe, expect, it } from 'vitest';

import { judgeRanking } from '../../../../src/ir/measures/judged-ranking.ts';
import {
  findDifferences,
  fromTrecEval,
  goldenCases,
  judgeAll,
  scoreAll,
  type GoldenCase,
  type GoldenFile,
} from './golden.ts';

interface Row {
  readonly name: string;
  readonly tool: string;
  readonly theirs: string;
  readonly ours: string;
  readonly maxGrade?: number;
}

const exact = 1e-12;
const fiveDecimals = 5.000001e-6;

/** Where this project follows trec_eval 10.0 as it stands, with the options that its rules stand for. */
const likeTrecEval: Readonly<Record<string, string>> = {
  'tie-order': 'trec_eval 10.0',
  'tie-order-numbers': 'trec_eval 10.0',
  'tie-order-case': 'trec_eval 10.0',
  'tie-order-unicode': 'trec_eval 10.0',
  'float32-tie': 'trec_eval 10.0',
  'rank-column': 'trec_eval 10.0',
  'missing-query': 'trec_eval 10.0 -c',
  'extra-query': 'trec_eval 10.0 -c',
  'key-order': 'trec_eval 10.0',
  'empty-list': 'trec_eval 10.0 -c',
  unjudged: 'trec_eval 10.0',
  'grade-minus-1': 'trec_eval 10.0',
  'all-minus-1-later': 'trec_eval 10.0',
  'nothing-relevant': 'trec_eval 10.0',
  'bpref-poisoned-batch': 'trec_eval 10.0',
  'bpref-no-nonrelevant': 'trec_eval 10.0',
  'k-beyond-retrieved': 'trec_eval 10.0',
  'ideal-cut': 'trec_eval 10.0',
  'map-cut': 'trec_eval 10.0',
  'gain-forms': 'trec_eval 10.0',
  'gain-forms-trec-exp': 'trec_eval 10.0',
  'level-2': 'trec_eval 10.0 -l 2',
};

/** Where trec_eval lacks the measure, or stops. */
const likeOthers: readonly Row[] = [
  { name: 'all-minus-1', tool: 'ranx', theirs: 'map', ours: 'AP' },
  { name: 'all-minus-2', tool: 'ranx', theirs: 'map', ours: 'AP' },
  ...(
    [
      ['trec_eval 10.0 -J', 'map', 'AP(judged)'],
      ['trec_eval 10.0 -J', 'P_5', 'P(judged)@5'],
      ['trec_eval 10.0 -J', 'ndcg', 'nDCG(judged)'],
      ['ir_measures', 'AP(judged_only=True)', 'AP(judged_only=True)'],
      ['ir_measures', 'P(judged_only=True)@5', 'P(judged_only=True)@5'],
      ['ir_measures', 'nDCG(judged_only=True)@5', 'nDCG(judged_only=True)@5'],
    ] as const
  ).map(([tool, theirs, ours]) => ({ name: 'unjudged-condensed', tool, theirs, ours })),
  { name: 'unjudged', tool: 'ir_measures', theirs: 'Judged@5', ours: 'judged@5' },
  { name: 'unjudged', tool: 'ir_measures', theirs: 'Judged@10', ours: 'judged@10' },
  { name: 'grade-minus-1', tool: 'ir_measures', theirs: 'Judged@5', ours: 'judged@5' },
  { name: 'k-beyond-retrieved', tool: 'ir_measures', theirs: 'Judged@5', ours: 'judged@5' },
  { name: 'k-beyond-retrieved', tool: 'ranx', theirs: 'f1@5', ours: 'F1@5' },
  { name: 'gain-forms', tool: 'ranx', theirs: 'dcg', ours: 'DCG' },
  { name: 'gain-forms', tool: 'ranx', theirs: 'ndcg_burges', ours: 'nDCG-exp' },
  { name: 'level-2', tool: 'ir_measures', theirs: 'AP(rel=2)', ours: 'AP(rel=2)' },
  { name: 'level-2', tool: 'ir_measures', theirs: 'RR(rel=2)', ours: 'RR(rel=2)' },
  { name: 'rbp-graded', tool: 'ir_measures', theirs: 'RBP(p=0.5,rel=1)', ours: 'RBP(0.5)' },
  { name: 'rbp-graded', tool: 'ir_measures', theirs: 'RBP(rel=1)', ours: 'RBP(0.8)' },
  { name: 'err', tool: 'ir_measures', theirs: 'ERR@1', ours: 'ERR@1', maxGrade: 4 },
  { name: 'err', tool: 'ir_measures', theirs: 'ERR@2', ours: 'ERR@2', maxGrade: 4 },
  { name: 'err', tool: 'ir_measures', theirs: 'ERR@10', ours: 'ERR@10', maxGrade: 4 },
];

/** Cases about something that no measure here decides. */
const outside = [
  // A document twice is refused: see below, and where runs and question sets are read.
  'duplicate-in-run',
  'duplicate-in-qrels',
  // No such measure or option here.
  'unj-v10',
  'iprec-rounding',
  'rbp-resid-c',
  'rbp-resid-c-default',
  // gdeval refuses grades above 4; ERR here takes the question set's highest.
  'err-grade-5',
  // test/unit/ir/trec/lines.test.ts
  'hash-comment',
];

describe('measures on the cases where tools disagree', () => {
  it.each(rowsLikeTrecEval())(
    '$name: $ours is what $tool prints',
    ({ name, tool, theirs, ours }) => {
      const expected = printed(name, tool, theirs);
      expect(findDifferences(scoreAll(judged(name), ours), expected, exact)).toEqual([]);
    },
  );

  it.each(likeOthers)('$name: $ours is what $tool prints as $theirs', (row) => {
    const { name, tool, theirs, ours, maxGrade } = row;
    const tolerance = ours.startsWith('ERR') ? fiveDecimals : exact;
    const expected = printed(name, tool, theirs);
    expect(findDifferences(scoreAll(judged(name), ours, maxGrade), expected, tolerance)).toEqual(
      [],
    );
  });

  it('refuses a document twice in a ranking, as trec_eval does', () => {
    const { run } = find('duplicate-in-run');
    const ranking = run['1']!.map(([documentId]) => documentId);
    expect(() => judgeRanking(ranking, new Map([['a', 1]]))).toThrow("duplicate document 'a'");
  });

  it('decides every case', () => {
    const decided = [
      ...Object.keys(likeTrecEval),
      ...likeOthers.map(({ name }) => name),
      ...outside,
    ];
    expect([...new Set(decided)].toSorted()).toEqual(
      goldenCases.map(({ name }) => name).toSorted(),
    );
  });
});

function rowsLikeTrecEval(): readonly Row[] {
  return goldenCases.flatMap(({ name, got }) => {
    const tool = likeTrecEval[name] ?? '';
    const level = tool.endsWith('-l 2') ? 2 : 1;
    return Object.keys(got[tool] ?? {}).flatMap((theirs) => {
      const ours = fromTrecEval(theirs, level);
      return ours === undefined ? [] : [{ name, tool, theirs, ours }];
    });
  });
}

function find(name: string): GoldenCase {
  return goldenCases.find((each) => each.name === name)!;
}

function printed(name: string, tool: string, theirs: string) {
  const { all, ...perQuery } = find(name).got[tool]![theirs]!;
  return { perQuery, ...(all === undefined ? {} : { all }) };
}

function judged(name: string) {
  const { qrels, run } = find(name);
  const asFile: GoldenFile = {
    qrels: Object.fromEntries(
      Object.entries(qrels).map(([id, grades]) => [id, Object.fromEntries(grades)]),
    ),
    run,
    expected: {},
  };
  return judgeAll(asFile);
}
