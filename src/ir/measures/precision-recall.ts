import { defaultRules, type MeasureFamily } from './measure-family.ts';
import { countRelevant, countRelevantInTop, ratio } from './relevance.ts';

/** hit@k = 1 when one of the first k is relevant, else 0 (trec_eval `success`). */
export const hit: MeasureFamily = {
  ...defaultRules,
  name: 'hit',
  pattern: 'hit@k',
  aliases: ['Success', 'hit_rate', 'accuracy', 'top_k_accuracy'],
  cutoff: 'required',
  summary: 'Whether anything relevant is in the top k.',
  formula: 'hit@k = 1 if at least one of the first k documents is relevant, else 0',
  range: '0 or 1',
  shortRanking: 'What is there is read.',
  namesElsewhere: { trecEval: 'success_k', ranx: 'hit_rate@k', irMeasures: 'Success@k' },
  source: 'trec_eval 10.0, measure success',
  build:
    ({ depth, relevantFrom }) =>
    (judged) =>
      countRelevantInTop(judged, relevantFrom, depth) > 0 ? 1 : 0,
};

/** P@k = relevant in the first k / k (trec_eval `P`). */
export const precision: MeasureFamily = {
  ...defaultRules,
  name: 'P',
  pattern: 'P@k',
  aliases: ['precision'],
  cutoff: 'required',
  summary: 'The share of the top k that is relevant.',
  formula: 'P@k = (relevant documents in the first k) / k',
  shortRanking: 'Still divided by k, so missing ranks count as not relevant.',
  namesElsewhere: { trecEval: 'P_k', ranx: 'precision@k', irMeasures: 'P@k' },
  source:
    'Cleverdon, Mills and Keen, Factors Determining the Performance of Indexing Systems, 1966',
  build:
    ({ depth, relevantFrom }) =>
    (judged) =>
      countRelevantInTop(judged, relevantFrom, depth) / depth,
};

/** R@k = relevant in the first k / all relevant documents (trec_eval `recall`). */
export const recall: MeasureFamily = {
  ...defaultRules,
  name: 'R',
  pattern: 'R@k',
  aliases: ['recall'],
  cutoff: 'required',
  summary: 'The share of all relevant documents that the top k holds.',
  formula:
    'R@k = (relevant documents in the first k) / R, R = all relevant documents of the question',
  shortRanking: 'What is there is read; R does not shrink. Where R is above k, 1 is out of reach.',
  namesElsewhere: { trecEval: 'recall_k', ranx: 'recall@k', irMeasures: 'R@k' },
  source:
    'Cleverdon, Mills and Keen, Factors Determining the Performance of Indexing Systems, 1966',
  build:
    ({ depth, relevantFrom }) =>
    (judged) =>
      ratio(countRelevantInTop(judged, relevantFrom, depth), countRelevant(judged, relevantFrom)),
};

/** F1@k = 2 · P@k · R@k / (P@k + R@k), which is 2 · relevant in the first k / (k + R). */
export const f1: MeasureFamily = {
  ...defaultRules,
  name: 'F1',
  pattern: 'F1@k',
  cutoff: 'required',
  summary: 'The harmonic mean of P@k and R@k.',
  formula:
    'F1@k = 2 · P@k · R@k / (P@k + R@k) = 2 · (relevant documents in the first k) / (k + R); 0 when both are 0',
  shortRanking: 'As P@k: still divided by k.',
  namesElsewhere: { trecEval: null, ranx: 'f1@k', irMeasures: null },
  source:
    'van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7 (F = 1 − E, even weights)',
  build:
    ({ depth, relevantFrom }) =>
    (judged) =>
      (2 * countRelevantInTop(judged, relevantFrom, depth)) /
      (depth + countRelevant(judged, relevantFrom)),
};

/** Rprec = relevant in the first R / R, R = all relevant documents (trec_eval `Rprec`). */
export const rPrecision: MeasureFamily = {
  ...defaultRules,
  name: 'Rprec',
  pattern: 'Rprec',
  aliases: ['r_precision', 'r-precision', 'R-prec'],
  cutoff: 'none',
  summary: 'Precision at the rank where it equals recall.',
  formula:
    'Rprec = (relevant documents in the first R) / R, R = all relevant documents of the question',
  shortRanking: 'Still divided by R.',
  namesElsewhere: { trecEval: 'Rprec', ranx: 'r-precision', irMeasures: 'Rprec' },
  source:
    'Buckley and Voorhees, Retrieval System Evaluation, in TREC: Experiment and Evaluation, 2005',
  build:
    ({ relevantFrom }) =>
    (judged) => {
      const relevant = countRelevant(judged, relevantFrom);
      return ratio(countRelevantInTop(judged, relevantFrom, relevant), relevant);
    },
};
