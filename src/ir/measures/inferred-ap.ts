import type { JudgedRanking } from './judged-ranking.ts';
import { defaultRules, type MeasureFamily } from './measure-family.ts';
import { countRelevant, ratio } from './relevance.ts';

/** infAP = AP estimated from a sample of the pool, smoothed with 0.00001 (Yilmaz and Aslam 2006, trec_eval `infAP`). */
export const inferredAp: MeasureFamily = {
  ...defaultRules,
  name: 'infAP',
  pattern: 'infAP',
  cutoff: 'none',
  summary: 'AP as it is to be expected when only a random part of the pool was judged.',
  formula:
    'infAP = (1/R) · Σ E(i) over the ranks i that hold a relevant document; E(1) = 1, else E(i) = 1/i + ((i − 1)/i) · (pool above / (i − 1)) · ((relevant above + ε) / (relevant above + judged not relevant above + 2ε)), ε = 0.00001; pool above = relevant, judged not relevant and negative ones above i',
  unjudged: 'Outside the pool: adds to the rank only.',
  negativeGrades: 'In the pool but not judged: adds to the pool above, to nothing else.',
  shortRanking: 'A relevant document that is not retrieved adds 0.',
  namesElsewhere: { trecEval: 'infAP', ranx: null, irMeasures: 'infAP' },
  source:
    'Yilmaz and Aslam, Estimating Average Precision with Incomplete and Imperfect Judgments, CIKM 2006',
  build:
    ({ relevantFrom }) =>
    (judged) =>
      ratio(sumExpectations(judged, relevantFrom), countRelevant(judged, relevantFrom)),
};

const smoothing = 0.00001;

function sumExpectations({ grades }: JudgedRanking, relevantFrom: number): number {
  let relevant = 0;
  let notRelevant = 0;
  let pooledUnjudged = 0;
  let sum = 0;
  for (const [above, grade] of grades.entries()) {
    if (grade === null) continue;
    if (grade < 0) pooledUnjudged += 1;
    else if (grade < relevantFrom) notRelevant += 1;
    else {
      sum += expectedPrecision(above, { relevant, notRelevant, pooledUnjudged });
      relevant += 1;
    }
  }
  return sum;
}

/** The counts are of the documents above the relevant one; `above` is how many those are in all. */
function expectedPrecision(
  above: number,
  counts: {
    readonly relevant: number;
    readonly notRelevant: number;
    readonly pooledUnjudged: number;
  },
): number {
  const judged = counts.relevant + counts.notRelevant;
  const pooled = judged + counts.pooledUnjudged;
  const precisionAbove = (counts.relevant + smoothing) / (judged + 2 * smoothing);
  return (1 + pooled * precisionAbove) / (above + 1);
}
