import { defaultRules, type MeasureFamily } from './measure-family.ts';
import { ratio } from './relevance.ts';

/** What a grade above 0 is worth. */
export type Gain = (grade: number) => number;

const gradedRules = {
  ...defaultRules,
  isBinary: false,
  unjudged: 'Gain 0.',
  negativeGrades: 'Gain 0, in the ranking and in the ideal list.',
  cutoff: 'optional',
} as const;

const source =
  'Järvelin and Kekäläinen, Cumulated Gain-based Evaluation of IR Techniques, ACM TOIS 20(4), 2002';

/** nDCG = DCG / DCG of all judged documents in falling grade, both cut at k; gain = grade (trec_eval `ndcg`, `ndcg_cut`). */
export const ndcg: MeasureFamily = {
  ...gradedRules,
  name: 'nDCG',
  pattern: 'nDCG, nDCG@k',
  summary: 'The gain of the ranking, discounted by rank, over that of the best possible ranking.',
  formula:
    'nDCG@k = DCG@k / IDCG@k, DCG@k = Σ max(grade, 0) / log2(rank + 1) over the first k; IDCG@k is the DCG@k of all judged documents in falling grade, retrieved or not. (rel=n) does not apply: every grade above 0 gains',
  shortRanking: 'Held against the full ideal list cut at k, not at the number retrieved.',
  namesElsewhere: {
    trecEval: 'ndcg, ndcg_cut_k',
    ranx: 'ndcg, ndcg@k',
    irMeasures: 'nDCG, nDCG@k',
  },
  source,
  build:
    ({ depth }) =>
    ({ grades, judged }) =>
      normalise(sumGains(grades, depth, gradeAsGain), sumGains(judged, depth, gradeAsGain)),
};

/** nDCG-exp = nDCG with gain 2^grade − 1 (Burges et al. 2005). */
export const ndcgExp: MeasureFamily = {
  ...gradedRules,
  name: 'nDCG-exp',
  pattern: 'nDCG-exp, nDCG-exp@k',
  aliases: ['ndcg_burges', 'ndcg_exp'],
  summary: 'nDCG in which each grade is worth about twice the one below it.',
  formula: 'as nDCG with the gain 2^max(grade, 0) − 1 in place of the grade',
  shortRanking: 'Held against the full ideal list cut at k, not at the number retrieved.',
  namesElsewhere: {
    trecEval: 'ndcg with own gains (-m ndcg.1=1,2=3,3=7)',
    ranx: 'ndcg_burges, ndcg_burges@k',
    irMeasures: "nDCG(dcg='exp-log2')@k (5 decimals, grades to 4)",
  },
  source: 'Burges et al., Learning to Rank using Gradient Descent, ICML 2005',
  build:
    ({ depth }) =>
    ({ grades, judged }) => {
      const gain = exponentialGain(judged[0] ?? 0);
      return normalise(sumGains(grades, depth, gain), sumGains(judged, depth, gain));
    },
};

/** DCG = sum of max(grade, 0) / log2(rank + 1): the only measure without an upper bound (ranx `dcg`). */
export const dcg: MeasureFamily = {
  ...gradedRules,
  name: 'DCG',
  pattern: 'DCG, DCG@k',
  summary: 'The gain of the ranking, discounted by rank and not divided by anything.',
  formula: 'DCG@k = Σ max(grade, 0) / log2(rank + 1) over the first k; DCG over the whole ranking',
  range: '0 upward, without a bound: means over questions with many relevant documents weigh more',
  shortRanking: 'What is there is summed.',
  namesElsewhere: { trecEval: null, ranx: 'dcg, dcg@k', irMeasures: null },
  source,
  build:
    ({ depth }) =>
    ({ grades }) =>
      sumGains(grades, depth, gradeAsGain),
};

export function gradeAsGain(grade: number): number {
  return grade;
}

/** (2^grade − 1) / 2^highest. The divisor cancels out in nDCG and keeps high grades from overflowing. */
export function exponentialGain(highest: number): Gain {
  return (grade) => 2 ** (grade - highest) - 2 ** -highest;
}

function sumGains(grades: readonly (number | null)[], depth: number, gain: Gain): number {
  const end = Math.min(depth, grades.length);
  let sum = 0;
  for (let index = 0; index < end; index += 1) {
    const grade = grades[index] ?? 0;
    if (grade > 0) sum += gain(grade) / discountAt(index);
  }
  return sum;
}

/** The sums of two orders can differ in their last bit; a ranking is never better than the ideal one. */
function normalise(gained: number, ideal: number): number {
  return Math.min(1, ratio(gained, ideal));
}

/** log2(rank + 1) for the ranks that are read most. */
const discounts = Float64Array.from({ length: 1_000 }, (_, index) => Math.log2(index + 2));

/** log2(rank + 1) at an index from 0. */
export function discountAt(index: number): number {
  return discounts[index] ?? Math.log2(index + 2);
}
