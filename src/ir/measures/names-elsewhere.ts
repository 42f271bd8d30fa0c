/** Names that mean the whole ranking in ranx and LlamaIndex, and a top k here. */
const wholeNames: ReadonlyMap<string, string> = new Map([
  ['precision', 'setP'],
  ['recall', 'setR'],
  ['f1', 'setF1'],
]);

/**
 * Names of trec_eval, ranx, ir_measures, MTEB, BEIR, Ragas and Azure, written as ours are: `ndcg_cut_10`, `precision_at_5`,
 * `recall.10`, `P@5(rel=2)`, `precision@5-l2`, `rbp.95`, `nDCG(dcg='exp-log2')@10`. Undefined where the text has no such form.
 */
export function rewriteForeignName(text: string): string | undefined {
  const whole = wholeNames.get(text.toLowerCase());
  if (whole !== undefined) return whole;
  const [, persistence] = /^rbp[._](\d{1,15})$/i.exec(text) ?? [];
  if (persistence !== undefined) return `RBP(0.${persistence})`;
  const [, word = '', cutoff = '', level, options = ''] =
    /^([a-z][a-z0-9-]*(?:_[a-z][a-z0-9]*)*?)(?:(?:_cut|_at)?[._@](\d{1,5}))?(?:-l(\d{1,3}))?(\([^()]*\))?$/i.exec(
      nameGains(text),
    ) ?? [];
  if (word === '') return undefined;
  const threshold = level === undefined ? options : `(rel=${level})`;
  return `${word}${threshold}${cutoff === '' ? '' : `@${cutoff}`}`;
}

/** ir_measures has the gains of nDCG as an option: `dcg='log2'` are those of nDCG, `dcg='exp-log2'` those of nDCG-exp. */
function nameGains(text: string): string {
  const [, before = '', gains, after = '', end = ''] =
    /^ndcg\(([^()]*?),?dcg=['"]?(log2|exp-log2)['"]?,?([^()]*)\)(@\d{1,5})?$/i.exec(text) ?? [];
  if (gains === undefined) return text;
  const options = [before, after].filter((part) => part !== '').join(',');
  const name = gains.toLowerCase() === 'log2' ? 'nDCG' : 'nDCG-exp';
  return `${name}${end}${options === '' ? '' : `(${options})`}`;
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
  [
    'hits',
    {
      closest: 'hit@10',
      why: 'hit is 1 if the top k holds a relevant document; their number, which ranx calls hits, is P@k · k',
    },
  ],
  ['dcg_burges', { closest: 'nDCG-exp@10', why: 'DCG of exponential gains is normalised here' }],
  [
    'ndcg_rel',
    { closest: 'nDCG@10', why: 'ndcg_rel averages nDCG over the ranks of relevant documents' },
  ],
  ['set_map', { closest: 'setF1', why: 'both join set precision and set recall' }],
  ['gm_bpref', { closest: 'bpref', why: 'means here are arithmetic' }],
  ['iprec', { closest: 'AP', why: 'precision is not interpolated here' }],
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
  if (/^(judged|bpref)\b.*\(.*judged/i.test(text)) {
    return /^b/i.test(text)
      ? { closest: 'bpref', why: 'bpref skips unjudged documents anyway' }
      : { closest: 'judged@10', why: 'the share of judged documents among the judged is always 1' };
  }
  if (/\s-J$/.test(text)) {
    return { closest: 'nDCG(judged)@10', why: '-J is written as (judged) before @k' };
  }
  if (/^ndcg.*\(rel=/i.test(text)) {
    return { closest: 'nDCG@10', why: 'nDCG has no threshold: every grade above 0 gains' };
  }
  const word = /^[a-z0-9_]+?(?=$|(?:_cut|_at)?[._@]\d|\()/i.exec(text)?.[0].toLowerCase();
  return missing.get(word ?? '');
}
