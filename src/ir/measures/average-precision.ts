import type { JudgedRanking } from './judged-ranking.ts';
import { defaultRules, type MeasureFamily } from './measure-family.ts';
import { countRelevant, isRelevant, ratio } from './relevance.ts';

/** AP = (1/R) · sum of P@i over the ranks i of relevant documents (trec_eval `map`, with @k `map_cut`). */
export const averagePrecision: MeasureFamily = {
  ...defaultRules,
  name: 'AP',
  pattern: 'AP, AP@k',
  aliases: ['MAP', 'average_precision'],
  cutoff: 'optional',
  summary:
    'The precision at each relevant document, averaged over all relevant ones. Its mean is MAP.',
  formula:
    'AP = (1/R) · Σ P@i over the ranks i that hold a relevant document; AP@k sums over the first k and still divides by R (not by min(k, R))',
  shortRanking: 'A relevant document that is not retrieved adds 0.',
  namesElsewhere: { trecEval: 'map, map_cut_k', ranx: 'map, map@k', irMeasures: 'AP, AP@k' },
  source: 'Harman, Overview of the Second Text REtrieval Conference (TREC-2), 1994; trec_eval 10.0',
  build:
    ({ depth, relevantFrom }) =>
    (judged) =>
      ratio(sumPrecisions(judged, relevantFrom, depth), countRelevant(judged, relevantFrom)),
};

function sumPrecisions({ grades }: JudgedRanking, relevantFrom: number, depth: number): number {
  const end = Math.min(depth, grades.length);
  let found = 0;
  let sum = 0;
  for (let index = 0; index < end; index += 1) {
    if (!isRelevant(grades[index], relevantFrom)) continue;
    found += 1;
    sum += found / (index + 1);
  }
  return sum;
}
