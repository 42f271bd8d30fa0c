import { defaultRules, type MeasureFamily } from './measure-family.ts';
import { isRelevant } from './relevance.ts';

/** RR = 1 / rank of the first relevant document; with @k only the first k are read (trec_eval `recip_rank`). */
export const reciprocalRank: MeasureFamily = {
  ...defaultRules,
  name: 'RR',
  pattern: 'RR, RR@k',
  aliases: ['MRR', 'recip_rank', 'reciprocal_rank'],
  cutoff: 'optional',
  summary: 'One over the rank of the first relevant document. Its mean is MRR.',
  formula:
    'RR = 1 / (rank of the first relevant document), 0 when none is retrieved; RR@k looks at the first k only. Without @k there is no cut-off',
  shortRanking: 'What is there is read.',
  namesElsewhere: {
    trecEval: 'recip_rank (RR@k: with -M k)',
    ranx: 'mrr, mrr@k',
    irMeasures: 'RR, RR@k (RR@k breaks ties by ascending id there)',
  },
  source: 'Voorhees, The TREC-8 Question Answering Track Report, TREC 1999',
  build:
    ({ depth, relevantFrom }) =>
    ({ grades }) => {
      const index = grades.findIndex((grade) => isRelevant(grade, relevantFrom));
      return index === -1 || index >= depth ? 0 : 1 / (index + 1);
    },
};
