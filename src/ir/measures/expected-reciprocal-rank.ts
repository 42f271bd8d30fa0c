import type { Qrels } from '../qrels.ts';
import type { JudgedRanking } from './judged-ranking.ts';
import { defaultRules, type MeasureFamily } from './measure-family.ts';

/** ERR = sum over ranks of (1/rank) · P(the reader stops there), stop = (2^grade − 1) / 2^maxGrade (Chapelle et al. 2009). */
export const expectedReciprocalRank: MeasureFamily = {
  ...defaultRules,
  name: 'ERR',
  pattern: 'ERR, ERR@k',
  cutoff: 'optional',
  isBinary: false,
  summary:
    'The expected 1/rank at which a reader is satisfied, when higher grades satisfy more often.',
  formula:
    'ERR@k = Σ (1/i) · s(i) · Π (1 − s(j), j < i) over the first k; s = (2^max(grade, 0) − 1) / 2^G, G = the highest grade of the question set',
  range:
    '0 to 1; below 1 even for a perfect ranking, since a reader stops at the highest grade with probability 1 − 2^−G',
  unjudged: 'Never stops the reader.',
  negativeGrades: 'Never stops the reader.',
  shortRanking: 'What is there is summed.',
  namesElsewhere: {
    trecEval: null,
    ranx: null,
    irMeasures: 'ERR@k (gdeval: G = 4 always, 5 decimals)',
  },
  source:
    'Chapelle, Metzler, Zhang and Grinspan, Expected Reciprocal Rank for Graded Relevance, CIKM 2009',
  build:
    ({ depth }) =>
    (judged, { maxGrade }) =>
      sumStops(judged, depth, Math.max(maxGrade, judged.judged[0] ?? 0)),
};

/** The highest grade of a question set, which ERR takes as its scale; 0 when nothing is relevant. */
export function highestGrade(qrels: Qrels): number {
  let highest = 0;
  for (const judgments of qrels.values()) {
    for (const grade of judgments.values()) highest = Math.max(highest, grade);
  }
  return highest;
}

function sumStops({ grades }: JudgedRanking, depth: number, maxGrade: number): number {
  const end = Math.min(depth, grades.length);
  let reached = 1;
  let sum = 0;
  for (let index = 0; index < end; index += 1) {
    const grade = grades[index] ?? 0;
    if (grade <= 0) continue;
    const stops = 2 ** (grade - maxGrade) - 2 ** -maxGrade;
    sum += (reached * stops) / (index + 1);
    reached *= 1 - stops;
  }
  return sum;
}
