import { describe, expect, it } from 'vitest';

import { judgeRanking, type JudgedRanking } from '../../../../src/ir/measures/judged-ranking.ts';
import type { MeasureFamily } from '../../../../src/ir/measures/measure-family.ts';
import { measureFamilies } from '../../../../src/ir/measures/registry.ts';
import { orderAsTrec } from '../../../../src/ir/trec/order-as-trec.ts';
import {
  findDifferences,
  fromTrecEval,
  goldenFiles,
  judgeAll,
  scoreAll,
  type GoldenFile,
  type Printed,
} from './golden.ts';

interface Row {
  readonly file: string;
  readonly theirs: string;
  readonly ours: string;
  readonly maxGrade?: number;
  readonly expected: Printed;
}

type Translate = (name: string) => Omit<Row, 'file' | 'theirs' | 'expected'> | undefined;

/** trec_eval's own sums and ours differ in the last digits only. */
const exact = 1e-12;
/** Half a unit of the fifth decimal, for tools that print five. */
const fiveDecimals = 5.000001e-6;

describe('measures on the golden files', () => {
  it.each(rowsOf('trec_eval', (name) => named(fromTrecEval(name))))(
    '$file: $ours agrees with trec_eval 10.0 $theirs',
    ({ file, ours, expected }) => {
      expect(findDifferences(scoreAll(judged(file), ours), expected, exact)).toEqual([]);
    },
  );

  it.each(rowsOf('trec_eval_l2', (name) => named(fromTrecEval(name, 2))))(
    '$file: $ours agrees with trec_eval 10.0 -l 2 $theirs',
    ({ file, ours, expected }) => {
      expect(findDifferences(scoreAll(judged(file), ours), expected, exact)).toEqual([]);
    },
  );

  it.each(rowsOf('trec_eval_judgedOnly', (name) => named(fromTrecEval(name))))(
    '$file: $ours of the judged documents alone agrees with trec_eval 10.0 -J $theirs',
    ({ file, ours, expected }) => {
      expect(findDifferences(scoreAll(condensed(file), ours), expected, exact)).toEqual([]);
    },
  );

  it.each(rowsOf('trec_eval_judgedOnly', (name) => named(judgedFromTrecEval(name))))(
    '$file: $ours agrees with trec_eval 10.0 -J $theirs',
    ({ file, ours, expected }) => {
      expect(findDifferences(scoreAll(judged(file), ours), expected, exact)).toEqual([]);
    },
  );

  it.each(
    measureFamilies
      .filter(({ hasJudgedForm }) => hasJudgedForm)
      .flatMap(formsOf)
      .flatMap(([plain, judgedOnly]) =>
        [...goldenFiles.keys()].map((file) => ({ file, plain, judgedOnly })),
      ),
  )('$file: $judgedOnly is $plain of the run without unjudged documents', (row) => {
    const { file, plain, judgedOnly } = row;
    const byHand = scoreAll(condensed(file), plain, 4);
    expect(findDifferences(scoreAll(judged(file), judgedOnly, 4), byHand, 0)).toEqual([]);
  });

  it.each(rowsOf('reference', fromReference))(
    '$file: $ours agrees with the reference $theirs',
    ({ file, ours, maxGrade, expected }) => {
      expect(findDifferences(scoreAll(judged(file), ours, maxGrade), expected, exact)).toEqual([]);
    },
  );

  it.each(rowsOf('ranx', fromRanx).filter(({ file }) => !file.startsWith('c')))(
    '$file: $ours agrees with ranx $theirs, where nothing is tied',
    ({ file, ours, expected }) => {
      expect(findDifferences(scoreAll(judged(file), ours), expected, exact)).toEqual([]);
    },
  );

  it.each(rowsOf('ir_measures', fromGdeval))(
    '$file: $ours agrees with gdeval $theirs to its five decimals',
    ({ file, ours, maxGrade, expected }) => {
      const differences = findDifferences(
        scoreAll(judged(file), ours, maxGrade),
        expected,
        fiveDecimals,
      );
      expect(differences).toEqual([]);
    },
  );

  it('holds each question to all tools at once', () => {
    expect(rowsOf('trec_eval', (name) => named(fromTrecEval(name))).length).toBeGreaterThan(300);
    expect(rowsOf('reference', fromReference).length).toBeGreaterThan(600);
  });

  it('does not follow the float32 scores of trec_eval 9.0.8', () => {
    const { expected } = goldenFiles.get('c3-float32')!;
    const differences = findDifferences(
      scoreAll(judged('c3-float32'), 'AP'),
      expected['trec_eval_9.0.8']!['map']!,
      exact,
    );
    expect(differences).not.toEqual([]);
  });
});

function judged(file: string): ReadonlyMap<string, JudgedRanking> {
  return judgeAll(goldenFiles.get(file)!);
}

/** trec_eval -J: the ranking without what nobody has judged, which a negative grade means there. */
function condensed(file: string): ReadonlyMap<string, JudgedRanking> {
  const { qrels, run }: GoldenFile = goldenFiles.get(file)!;
  return new Map(
    Object.entries(qrels).map(([questionId, grades]) => {
      const hits = (run[questionId] ?? []).map(([documentId, score]) => ({ documentId, score }));
      const ranking = orderAsTrec(hits).flatMap(({ documentId }) =>
        (grades[documentId] ?? -1) >= 0 ? documentId : [],
      );
      return [questionId, judgeRanking(ranking, new Map(Object.entries(grades)))];
    }),
  );
}

/** A name and its judged-only form, with every option of the family and without. */
function formsOf({ name, cutoff, isBinary, hasPersistence }: MeasureFamily) {
  const own = hasPersistence ? ['0.8'] : [];
  const at = cutoff === 'required' ? '@5' : '';
  const levels = isBinary ? [own, [...own, 'rel=2']] : [own];
  return levels.flatMap((options) => {
    const withCutoff = cutoff === 'optional' ? [at, '@10'] : [at];
    return withCutoff.map((end): readonly [string, string] => [
      `${name}${options.length > 0 ? `(${options.join(',')})` : ''}${end}`,
      `${name}(${[...options, 'judged'].join(',')})${end}`,
    ]);
  });
}

/** bpref skips unjudged documents, and has no form of its own. */
function judgedFromTrecEval(name: string): string | undefined {
  const ours = fromTrecEval(name);
  if (ours === undefined || ours === 'bpref') return ours;
  const [family = '', cutoff] = ours.split('@');
  return `${family}(judged)${cutoff === undefined ? '' : `@${cutoff}`}`;
}

function rowsOf(variant: string, translate: Translate): readonly Row[] {
  return [...goldenFiles].flatMap(([file, { expected }]) =>
    Object.entries(expected[variant] ?? {}).flatMap(([theirs, printed]) => {
      const translated = translate(theirs);
      return translated === undefined ? [] : [{ file, theirs, ...translated, expected: printed }];
    }),
  );
}

function named(ours: string | undefined): { ours: string } | undefined {
  return ours === undefined ? undefined : { ours };
}

function fromReference(name: string): ReturnType<Translate> {
  const err = /^err@(\d+) gmax=(\d+)$/.exec(name);
  if (err !== null) return { ours: `ERR@${err[1]}`, maxGrade: Number(err[2]) };
  const rbp = /^rbp_binary\.(0\.\d+)$/.exec(name);
  if (rbp !== null) return { ours: `RBP(${rbp[1]})` };
  const [word = '', cutoff] = name.split('@');
  const ours = referenceNames[word];
  return ours === undefined ? undefined : { ours: cutoff ? `${ours}@${cutoff}` : ours };
}

const referenceNames: Readonly<Record<string, string>> = {
  ndcg: 'nDCG',
  ndcg_exp: 'nDCG-exp',
  precision: 'P',
  recall: 'R',
  hit_rate: 'hit',
  mrr: 'RR',
  judged: 'judged',
  map: 'AP',
  'r-precision': 'Rprec',
  bpref: 'bpref',
};

function fromRanx(name: string): ReturnType<Translate> {
  const [word = '', cutoff] = name.split('@');
  if (word === 'f1') return { ours: cutoff ? `F1@${cutoff}` : 'setF1' };
  if (word === 'dcg') return { ours: cutoff ? `DCG@${cutoff}` : 'DCG' };
  if (word === 'ndcg_burges') return { ours: cutoff ? `nDCG-exp@${cutoff}` : 'nDCG-exp' };
  return undefined;
}

function fromGdeval(name: string): ReturnType<Translate> {
  const [word = '', cutoff] = name.split('@');
  if (word === 'ERR') return { ours: `ERR@${cutoff}`, maxGrade: 4 };
  if (word === "nDCG(dcg='exp-log2')") return { ours: `nDCG-exp@${cutoff}` };
  return undefined;
}
