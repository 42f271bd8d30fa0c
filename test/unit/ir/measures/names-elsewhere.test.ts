import { describe, expect, it } from 'vitest';

import { findClosest } from '../../../../src/ir/measures/names-elsewhere.ts';
import { parseMeasure } from '../../../../src/ir/measures/parse-measure.ts';
import { suggestMeasure } from '../../../../src/ir/measures/suggest-measure.ts';

describe('names of other tools', () => {
  it.each([
    // trec_eval, as its output and as its -m have it
    ['P_5', 'P@5'],
    ['P.5', 'P@5'],
    ['recall_100', 'R@100'],
    ['recall.10', 'R@10'],
    ['ndcg_cut_10', 'nDCG@10'],
    ['ndcg_cut.10', 'nDCG@10'],
    ['map', 'AP'],
    ['map_cut_10', 'AP@10'],
    ['recip_rank', 'RR'],
    ['success_1', 'hit@1'],
    ['Rprec', 'Rprec'],
    ['set_P', 'setP'],
    ['set_recall', 'setR'],
    ['set_F', 'setF1'],
    // ranx
    ['precision@5', 'P@5'],
    ['precision@5-l2', 'P(rel=2)@5'],
    ['hit_rate@3', 'hit@3'],
    ['ndcg_burges@3', 'nDCG-exp@3'],
    ['r_precision', 'Rprec'],
    ['rbp.95', 'RBP(0.95)'],
    // ir_measures
    ['P@5(rel=2)', 'P(rel=2)@5'],
    ['Success@10', 'hit@10'],
    ['SetF', 'setF1'],
    ['RBP(p=0.8)', 'RBP(0.8)'],
    ['Judged@10', 'judged@10'],
    // MTEB and BEIR
    ['ndcg_at_10', 'nDCG@10'],
    ['precision_at_5', 'P@5'],
    ['recall_at_100', 'R@100'],
    ['map_at_1000', 'AP@1000'],
    ['mrr_at_10', 'RR@10'],
    ['Recall@10', 'R@10'],
    ['Accuracy@1', 'hit@1'],
    // Ragas and Azure
    ['id_based_context_precision', 'setP'],
    ['id_based_context_recall', 'setR'],
    ['ndcg@3', 'nDCG@3'],
    // ranx and LlamaIndex without a cut-off
    ['precision', 'setP'],
    ['recall', 'setR'],
    ['f1', 'setF1'],
    // gains and judged documents, as ir_measures prints them
    ["nDCG(dcg='log2')@10", 'nDCG@10'],
    ["nDCG(dcg='exp-log2')@10", 'nDCG-exp@10'],
    ["nDCG(dcg='exp-log2',judged_only=True)@10", 'nDCG-exp(judged)@10'],
    ["nDCG(judged_only=True,dcg='exp-log2')", 'nDCG-exp(judged)'],
    ['nDCG(judged_only=True)@10', 'nDCG(judged)@10'],
    ['nDCG(judged_only=False)@10', 'nDCG@10'],
    ['nDCG@10(judged)', 'nDCG(judged)@10'],
    ['ndcg_cut_10(judged)', 'nDCG(judged)@10'],
    ['AP(judged_only=True)', 'AP(judged)'],
    ['map(judged)', 'AP(judged)'],
    ['P(rel=2,judged_only=True)@5', 'P(rel=2,judged)@5'],
    ['P(judged_only=True,rel=2)@5', 'P(rel=2,judged)@5'],
    ['RR(judged_only=True)@10', 'RR(judged)@10'],
    ['SetF(judged_only=True)', 'setF1(judged)'],
    ['RBP(p=0.8,judged)', 'RBP(0.8,judged)'],
  ])('%s is %s', (text, name) => {
    expect(parseMeasure(text)?.name).toBe(name);
  });

  it.each([
    ['nDCG(rel=2)', 'nDCG@10'],
    ['nDCG@10(rel=2)', 'nDCG@10'],
    ['nDCG@10 -J', 'nDCG(judged)@10'],
    ['judged(judged)@10', 'judged@10'],
    ['bpref(judged)', 'bpref'],
    ['hits@10', 'hit@10'],
    ['dcg_burges@3', 'nDCG-exp@10'],
    ['iprec_at_recall_0.10', 'AP'],
    ['set_map', 'setF1'],
    ['R_cap@10', 'R@10'],
    ['Hole@10', 'judged@10'],
    ['holes_ratio', 'judged@10'],
    ['xdcg@3', 'nDCG-exp@10'],
    ['fidelity', 'R@10'],
    ['gm_map', 'AP'],
    ['context_precision', 'AP@10'],
  ])('%s does not exist, and %s comes closest', (text, closest) => {
    expect(parseMeasure(text)).toBeUndefined();
    expect(findClosest(text)?.closest).toBe(closest);
    expect(parseMeasure(closest)?.name).toBe(closest);
  });

  it.each([
    ['recal@10', 'R@10'],
    ['ndgc_cut_10', 'nDCG@10'],
    ['precison_at_5', 'P@5'],
  ])('%s is near %s', (text, meant) => {
    expect(parseMeasure(text)).toBeUndefined();
    expect(suggestMeasure(text)).toBe(meant);
  });
});
