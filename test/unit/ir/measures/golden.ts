import { judgeRanking, type JudgedRanking } from '../../../../src/ir/measures/judged-ranking.ts';
import { parseMeasure } from '../../../../src/ir/measures/parse-measure.ts';
import { createMean } from '../../../../src/ir/stable-sum.ts';
import { orderAsTrec } from '../../../../src/ir/trec/order-as-trec.ts';
import { readGoldenTable } from '../../../helpers/golden-table.ts';

/** A measure's values as a tool printed them. */
export interface Printed {
  readonly all?: number;
  readonly perQuery: Readonly<Record<string, number>>;
}

type PrintedByMeasure = Readonly<Record<string, Printed>>;

export interface GoldenFile {
  readonly qrels: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly run: Readonly<Record<string, readonly (readonly [string, number])[]>>;
  readonly expected: Readonly<Record<string, PrintedByMeasure>>;
}

export interface GoldenCase {
  readonly name: string;
  readonly qrels: Readonly<Record<string, readonly (readonly [string, number])[]>>;
  readonly run: GoldenFile['run'];
  readonly got: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>
  >;
}

export const goldenFileNames = [
  'a-graded',
  'b-binary',
  'c-ties',
  'c2-tie-ids',
  'c3-float32',
  'd-missing',
  'e-short',
  'f-unjudged',
  'g-norelevant',
  'h-positives',
  'i-gaps',
] as const;

export const goldenFiles: ReadonlyMap<string, GoldenFile> = new Map(
  goldenFileNames.map((name) => [name, readGoldenFile(name)]),
);

export const goldenCases: readonly GoldenCase[] = readGoldenCases();

/** Every question of the qrels, judged in trec_eval's order; one that the run lacks has an empty ranking. */
export function judgeAll({ qrels, run }: GoldenFile): ReadonlyMap<string, JudgedRanking> {
  return new Map(
    Object.entries(qrels).map(([questionId, grades]) => {
      const hits = (run[questionId] ?? []).map(([documentId, score]) => ({ documentId, score }));
      const ranking = orderAsTrec(hits).map((hit) => hit.documentId);
      return [questionId, judgeRanking(ranking, new Map(Object.entries(grades)))];
    }),
  );
}

/** The values of one measure, in the form of the golden files. */
export function scoreAll(
  questions: ReadonlyMap<string, JudgedRanking>,
  name: string,
  maxGrade = 0,
): Required<Printed> {
  const measure = parseMeasure(name)!;
  const mean = createMean();
  const perQuery: Record<string, number> = {};
  for (const [questionId, judged] of questions) {
    perQuery[questionId] = measure.compute(judged, { maxGrade });
    mean.add(perQuery[questionId]);
  }
  return { all: mean.mean!, perQuery };
}

/** Where two results differ by more than the tolerance, or one lacks what the other has; empty when they agree. */
export function findDifferences(
  actual: Required<Printed>,
  expected: Printed,
  tolerance: number,
): readonly string[] {
  const all: Record<string, number> = { ...actual.perQuery, all: actual.all };
  const printed: Record<string, number> = { all: actual.all, ...expected.perQuery };
  if (expected.all !== undefined) printed['all'] = expected.all;
  const ids = new Set([...Object.keys(all), ...Object.keys(printed)]);
  return [...ids]
    .filter((id) => !(Math.abs((all[id] ?? Number.NaN) - (printed[id] ?? Number.NaN)) <= tolerance))
    .map((id) => `${id}: ${all[id]} instead of ${printed[id]}`);
}

/** This project's name for a measure of trec_eval; undefined for one that it does not have. */
export function fromTrecEval(name: string, level = 1): string | undefined {
  const [word = '', cutoff] = name.split(/_(?=\d+$)/);
  const ours = trecEvalNames[word];
  if (ours === undefined) return undefined;
  const relevant = level > 1 && !ours.startsWith('nDCG') ? `(rel=${level})` : '';
  return `${ours}${relevant}${cutoff === undefined ? '' : `@${cutoff}`}`;
}

const trecEvalNames: Readonly<Record<string, string>> = {
  success: 'hit',
  P: 'P',
  recall: 'R',
  recip_rank: 'RR',
  map: 'AP',
  map_cut: 'AP',
  ndcg: 'nDCG',
  ndcg_cut: 'nDCG',
  ndcg_exp_gain: 'nDCG-exp',
  'ndcg_1=1,2=3,3=7': 'nDCG-exp',
  Rprec: 'Rprec',
  bpref: 'bpref',
  infAP: 'infAP',
  set_P: 'setP',
  set_recall: 'setR',
  set_F: 'setF1',
};

export function readGoldenFile(name: string): GoldenFile {
  const qrels = readGoldenTable(`measures/${name}/qrels`);
  const run = readGoldenTable(`measures/${name}/run`);
  const values = readGoldenTable(`measures/${name}/values`);
  return {
    qrels: group(qrels, (grades) =>
      Object.fromEntries(grades.map(([document, grade]) => [document, Number(grade)])),
    ),
    run: group(run, toScored),
    expected: group(values, (ofTool) => group(ofTool, toPrinted)),
  };
}

function readGoldenCases(): readonly GoldenCase[] {
  const qrels = group(readGoldenTable('cases/qrels'), (rows) => group(rows, toScored));
  const run = group(readGoldenTable('cases/run'), (rows) => group(rows, toScored));
  const values = group(readGoldenTable('cases/values'), (ofCase) =>
    group(ofCase, (ofTool) => group(ofTool, toNumbers)),
  );
  return Object.entries(qrels).map(([name, judged]) => {
    return { name, qrels: judged, run: run[name] ?? {}, got: values[name] ?? {} };
  });
}

function toPrinted(rows: Rows): Printed {
  const { all, ...perQuery } = toNumbers(rows);
  return { perQuery, ...(all === undefined ? {} : { all }) };
}

function toScored(rows: Rows): readonly (readonly [string, number])[] {
  return rows.map(([document = '', score]) => [document, Number(score)]);
}

/** NaN where a tool printed no number. */
function toNumbers(rows: Rows): Readonly<Record<string, number>> {
  return Object.fromEntries(rows.map(([question = '', value]) => [question, Number(value)]));
}

type Rows = readonly (readonly string[])[];

/** The rows by their first column, which is taken off. */
function group<Value>(rows: Rows, read: (members: Rows) => Value): Readonly<Record<string, Value>> {
  const groups = Map.groupBy(rows, ([first = '']) => first);
  return Object.fromEntries(
    [...groups].map(([name, members]) => [name, read(members.map((row) => row.slice(1)))]),
  );
}
