/**
 * Names of trec_eval, ranx, ir_measures, MTEB, BEIR, Ragas and Azure, written as ours are: `ndcg_cut_10`, `precision_at_5`,
 * `recall.10`, `P@5(rel=2)`, `precision@5-l2`, `rbp.95`. Undefined where the text has no such form.
 */
export function rewriteForeignName(text: string): string | undefined {
  const name = text;
  const [, persistence] = /^rbp[._](\d{1,15})$/i.exec(name) ?? [];
  if (persistence !== undefined) return `RBP(0.${persistence})`;
  const [, word = '', cutoff = '', level, options = ''] =
    /^([a-z][a-z0-9-]*(?:_[a-z][a-z0-9]*)*?)(?:(?:_cut|_at)?[._@](\d{1,5}))?(?:-l(\d{1,3}))?(\([^()]*\))?$/i.exec(
      name,
    ) ?? [];
  if (word === '') return undefined;
  const threshold = level === undefined ? options : `(rel=${level})`;
  return `${word}${threshold}${cutoff === '' ? '' : `@${cutoff}`}`;
}

interface Missing {
  readonly closest: string;
  readonly why: string;
}

/** Measures of other tools that do not exist here, by their first word in lower case. */
const missing: ReadonlyMap<string, Missing> = new Map([
  [
    'r_cap',
    {
      closest: 'R@10',
      why: 'R@k is not capped: with more than k relevant documents it stays below 1',
    },
  ],
  ['hole', { closest: 'judged@10', why: 'holes are 1 − judged@k' }],
  ['holes', { closest: 'judged@10', why: 'holes are (1 − judged@k) · k' }],
  ['holes_ratio', { closest: 'judged@10', why: 'the ratio of holes is 1 − judged@k' }],
  [
    'xdcg',
    {
      closest: 'nDCG-exp@10',
      why: 'XDCG is a DCG of exponential gains, which nDCG-exp normalises',
    },
  ],
  ['fidelity', { closest: 'R@10', why: 'fidelity is a recall weighted by grades' }],
  ['top1_relevance', { closest: 'DCG@1', why: 'DCG@1 is the grade of the first document' }],
  [
    'top3_max_relevance',
    {
      closest: 'hit(rel=2)@3',
      why: 'hit asks whether a document of at least this grade is in the top k',
    },
  ],
  [
    'context_precision',
    {
      closest: 'AP@10',
      why: 'both average the precision at each relevant rank; AP divides by all relevant documents',
    },
  ],
  ['context_recall', { closest: 'R@10', why: 'R@k compares document ids, not statements' }],
  ['gm_map', { closest: 'AP', why: 'means here are arithmetic' }],
  ['iprec_at_recall', { closest: 'AP', why: 'precision is not interpolated here' }],
  ['11pt_avg', { closest: 'AP', why: 'precision is not interpolated here' }],
  ['alpha_ndcg', { closest: 'nDCG@10', why: 'judgments have no subtopics' }],
  ['unj', { closest: 'judged@10', why: 'unj_k is 1 − judged@k' }],
]);

/** What comes closest to a measure that does not exist here, and why it does not. */
export function findClosest(text: string): Missing | undefined {
  if (/\bjudged(_only)?\b/i.test(text.replace(/^judged/i, '')) || /\s-J$/.test(text)) {
    return {
      closest: 'judged@10',
      why: 'rankings are not reduced to their judged documents (trec_eval -J); "bounds": true gives the range over all grades of unjudged ones',
    };
  }
  if (/^ndcg.*\(rel=/i.test(text)) {
    return { closest: 'nDCG@10', why: 'nDCG has no threshold: every grade above 0 gains' };
  }
  const word = /^[a-z0-9_]+?(?=$|(?:_cut|_at)?[._@]\d|\()/i.exec(text)?.[0].toLowerCase();
  return missing.get(word ?? '');
}
