import type { JudgedRanking } from './judged-ranking.ts';
import { defaultRules, type MeasureFamily } from './measure-family.ts';
import { countRelevant, ratio } from './relevance.ts';

/** bpref = (1/R) · sum over retrieved relevant documents of 1 − min(n above, R) / min(N, R) (trec_eval `bpref`). */
export const bpref: MeasureFamily = {
  ...defaultRules,
  name: 'bpref',
  pattern: 'bpref',
  cutoff: 'none',
  hasJudgedForm: false,
  summary:
    'How rarely a document judged not relevant stands above a relevant one; made for incomplete judgments.',
  formula:
    'bpref = (1/R) · Σ (1 − min(n, R) / min(N, R)) over retrieved relevant documents; n = documents judged not relevant above it, N = all judged not relevant (0 ≤ grade < the relevant one), R = all relevant. A relevant document with n = 0 adds 1',
  unjudged: 'Skipped, as if it were not in the ranking.',
  negativeGrades: 'Skipped like unjudged, and not in N (ranx counts it as judged not relevant).',
  shortRanking: 'A relevant document that is not retrieved adds 0.',
  namesElsewhere: {
    trecEval: 'bpref',
    ranx: 'bpref (NaN without a document judged not relevant)',
    irMeasures: 'Bpref',
  },
  source: 'Buckley and Voorhees, Retrieval Evaluation with Incomplete Information, SIGIR 2004',
  build:
    ({ relevantFrom }) =>
    (judged) => {
      const relevant = countRelevant(judged, relevantFrom);
      const bound = Math.min(relevant, countNotRelevant(judged, relevantFrom));
      return ratio(sumPreferences(judged, relevantFrom, { relevant, bound }), relevant);
    },
};

function countNotRelevant({ judged }: JudgedRanking, relevantFrom: number): number {
  return judged.filter((grade) => grade >= 0 && grade < relevantFrom).length;
}

function sumPreferences(
  { grades }: JudgedRanking,
  relevantFrom: number,
  { relevant, bound }: { readonly relevant: number; readonly bound: number },
): number {
  let notRelevantAbove = 0;
  let sum = 0;
  for (const grade of grades) {
    if (grade === null || grade < 0) continue;
    if (grade < relevantFrom) notRelevantAbove += 1;
    else sum += 1 - ratio(Math.min(notRelevantAbove, relevant), bound);
  }
  return sum;
}
