import type { JudgedRanking } from './judged-ranking.ts';
import { defaultRules, type MeasureFamily } from './measure-family.ts';
import { countRelevant, countRelevantInTop, ratio } from './relevance.ts';

const setRules = { ...defaultRules, cutoff: 'none' } as const;

const source =
  'van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7; trec_eval 10.0';

/** setP = relevant retrieved / retrieved; 0 for an empty ranking (trec_eval `set_P`). */
export const setPrecision: MeasureFamily = {
  ...setRules,
  name: 'setP',
  pattern: 'setP',
  aliases: ['set_P', 'id_based_context_precision'],
  summary: 'The share of everything retrieved that is relevant, whatever its order.',
  formula: 'setP = (relevant documents retrieved) / (documents retrieved)',
  shortRanking: 'Divided by what was retrieved; an empty ranking scores 0.',
  namesElsewhere: { trecEval: 'set_P', ranx: 'precision', irMeasures: 'SetP' },
  source,
  build:
    ({ relevantFrom }) =>
    (judged) =>
      ratio(countRetrieved(judged, relevantFrom), judged.grades.length),
};

/** setR = relevant retrieved / all relevant documents (trec_eval `set_recall`). */
export const setRecall: MeasureFamily = {
  ...setRules,
  name: 'setR',
  pattern: 'setR',
  aliases: ['set_recall', 'id_based_context_recall'],
  summary: 'The share of all relevant documents that was retrieved at all.',
  formula: 'setR = (relevant documents retrieved) / R, R = all relevant documents of the question',
  shortRanking: 'A relevant document that is not retrieved is missed.',
  namesElsewhere: { trecEval: 'set_recall', ranx: 'recall', irMeasures: 'SetR' },
  source,
  build:
    ({ relevantFrom }) =>
    (judged) =>
      ratio(countRetrieved(judged, relevantFrom), countRelevant(judged, relevantFrom)),
};

/** setF1 = 2 · setP · setR / (setP + setR) (trec_eval `set_F`). */
export const setF1: MeasureFamily = {
  ...setRules,
  name: 'setF1',
  pattern: 'setF1',
  aliases: ['set_F', 'setF'],
  summary: 'The harmonic mean of setP and setR.',
  formula:
    'setF1 = 2 · setP · setR / (setP + setR) = 2 · (relevant documents retrieved) / (documents retrieved + R); 0 when both are 0',
  shortRanking: 'As setP and setR.',
  namesElsewhere: { trecEval: 'set_F', ranx: 'f1', irMeasures: 'SetF' },
  source,
  build:
    ({ relevantFrom }) =>
    (judged) =>
      ratio(
        2 * countRetrieved(judged, relevantFrom),
        judged.grades.length + countRelevant(judged, relevantFrom),
      ),
};

function countRetrieved(judged: JudgedRanking, relevantFrom: number): number {
  return countRelevantInTop(judged, relevantFrom, Infinity);
}
