import { defaultRules, type MeasureFamily } from './measure-family.ts';
import { ratio } from './relevance.ts';

/** judged@k = documents with any judgment in the first k / min(k, retrieved); 0 for an empty ranking (ir_measures `Judged`). */
export const judgedShare: MeasureFamily = {
  ...defaultRules,
  name: 'judged',
  pattern: 'judged@k',
  cutoff: 'required',
  isBinary: false,
  hasJudgedForm: false,
  summary:
    'The share of the top k that anyone has judged. Where it is low, the other measures say little.',
  formula:
    'judged@k = (documents in the first k that have a judgment) / min(k, documents retrieved)',
  unjudged: 'What is counted: 1 − judged@k is the share of unjudged and unmapped ones.',
  negativeGrades: 'Judged (trec_eval unj calls it unjudged).',
  noRelevantDocument: 'Does not matter: grade 0 is a judgment too.',
  shortRanking: 'Divided by what was retrieved; an empty ranking scores 0.',
  namesElsewhere: {
    trecEval: 'unj_k is its counterpart: unjudged or negative / k',
    ranx: null,
    irMeasures: 'Judged@k (fails on an empty ranking)',
  },
  source:
    'ir_measures 0.4.3, MacAvaney, Macdonald and Ounis, Streamlining Evaluation with ir-measures, ECIR 2022',
  build:
    ({ depth }) =>
    ({ grades }) => {
      const top = grades.slice(0, depth);
      return ratio(top.filter((grade) => grade !== null).length, top.length);
    },
};
