import type { MeasureContext } from '../measures/measure.ts';
import type { Measure } from '../measures/measure.ts';
import { createMean } from '../stable-sum.ts';
import { findFastMeasure, type FastCompute } from './fast-measures.ts';
import { decodeId } from './id-arena.ts';
import type { InternedQrels } from './interned-qrels.ts';
import type { InternedRun, Segment } from './interned-run.ts';
import { createRanker, type RankedHits } from './rank-hits.ts';
import type { RankedGrades } from './ranked-grades.ts';

/** One measure over all questions of the qrels. */
export interface MeasureValues {
  readonly name: string;
  /** By number of the question in the qrels. One that the run lacks has 0, as with trec_eval -c. */
  readonly values: Float64Array;
  readonly mean: number | undefined;
}

/**
 * Scores a run in the order of trec_eval 10.0 (score descending, then document id descending by UTF-8
 * bytes). Throws a TrecLineError where a question has a document twice.
 */
export function scoreRun(
  qrels: InternedQrels,
  run: InternedRun,
  measures: readonly Measure[],
): readonly MeasureValues[] {
  const questions = qrels.questions.ids.count;
  const context = { maxGrade: findMaxGrade(qrels) };
  const columns = measures.map((measure) => ({
    name: measure.name,
    compute: findFastMeasure(measure) ?? fromGeneral(measure, context),
    values: new Float64Array(questions),
  }));
  const ranker = createRanker(run, (question) => decodeId(qrels.questions.ids, question));
  const segments = groupByQuestion(run.segments, questions);
  const ranked: RankedGrades = {
    grades: new Float64Array(1 << 10),
    length: 0,
    judged: qrels.judged,
  };
  for (let question = 0; question < questions; question += 1) {
    const hits = ranker.rank(question, segments[question] ?? []);
    judge(ranked, hits, { qrels, run, question });
    for (const { compute, values } of columns) values[question] = compute(ranked);
  }
  return columns.map(({ name, values }) => ({ name, values, mean: meanOf(values) }));
}

function groupByQuestion(
  segments: readonly Segment[],
  questions: number,
): readonly (readonly Segment[])[] {
  const groups: Segment[][] = Array.from({ length: questions }, () => []);
  for (const segment of segments) groups[segment.question]?.push(segment);
  return groups;
}

function judge(
  ranked: RankedGrades,
  { hits, length }: RankedHits,
  { qrels, run, question }: { qrels: InternedQrels; run: InternedRun; question: number },
): void {
  if (length > ranked.grades.length) ranked.grades = new Float64Array(2 * length);
  const { grades } = ranked;
  for (let rank = 0; rank < length; rank += 1) {
    const judgment = run.judgments[hits[rank] as number] as number;
    grades[rank] = judgment === -1 ? Number.NaN : (qrels.grades[judgment] as number);
  }
  ranked.length = length;
  ranked.judged = qrels.judged.subarray(qrels.offsets[question], qrels.offsets[question + 1]);
}

/** Any measure of the registry, by way of the form that it reads. */
function fromGeneral({ compute }: Measure, context: MeasureContext): FastCompute {
  return ({ grades, length, judged }) =>
    compute(
      {
        grades: Array.from(grades.subarray(0, length), (grade) =>
          Number.isNaN(grade) ? null : grade,
        ),
        judged: Array.from(judged),
      },
      context,
    );
}

/** 0 when nothing is relevant. */
function findMaxGrade({ judged }: InternedQrels): number {
  let highest = 0;
  for (const grade of judged) highest = Math.max(highest, grade);
  return highest;
}

function meanOf(values: Float64Array): number | undefined {
  const mean = createMean();
  for (const value of values) mean.add(value);
  return mean.mean;
}
