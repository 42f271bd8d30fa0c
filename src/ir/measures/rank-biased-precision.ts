import { defaultRules, type MeasureFamily } from './measure-family.ts';
import { isRelevant } from './relevance.ts';

/** RBP(p) = (1 − p) · sum of p^(rank − 1) over relevant documents (Moffat and Zobel 2008). */
export const rankBiasedPrecision: MeasureFamily = {
  ...defaultRules,
  name: 'RBP',
  pattern: 'RBP(p), RBP(p,rel=n)',
  cutoff: 'none',
  hasPersistence: true,
  summary:
    'The share of what a reader sees that is relevant, when each next rank is read with probability p.',
  formula:
    'RBP(p) = (1 − p) · Σ p^(rank − 1) over relevant documents, 0 < p < 1. Binary: a grade is relevant or not',
  range: '0 to 1; 1 is approached, not reached, by a ranking of nothing but relevant documents',
  shortRanking: 'What is there is summed; 1 − p^n bounds a ranking of n documents.',
  namesElsewhere: {
    trecEval: null,
    ranx: 'rbp.p multiplies by the grade and exceeds 1; the same for grades 0 and 1',
    irMeasures: 'RBP(p=…,rel=1)',
  },
  source:
    'Moffat and Zobel, Rank-Biased Precision for Measurement of Retrieval Effectiveness, ACM TOIS 27(1), 2008',
  build:
    ({ persistence, relevantFrom }) =>
    ({ grades }) => {
      let weight = 1;
      let sum = 0;
      for (const grade of grades) {
        if (isRelevant(grade, relevantFrom)) sum += weight;
        weight *= persistence;
      }
      // Rounding can lift the product to the next double above 1.
      return Math.min(1, (1 - persistence) * sum);
    },
};
