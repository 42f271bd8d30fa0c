import type { Measure } from './measure.ts';
import { highestCutoff, parseMeasure } from './parse-measure.ts';

/** `hit@k P@k R@k RR nDCG@k` for each cut-off k in the order given, each measure once. */
export function expandCutoffs(cutoffs: readonly number[]): readonly Measure[] {
  const measures = cutoffs.flatMap((k) => measuresAt(k));
  return [...new Map(measures.map((measure) => [measure.name, measure])).values()];
}

/** Adds judged@k for every cut-off in use that has none, at the end: no score without how much of it was judged. */
export function withJudged(measures: readonly Measure[]): readonly Measure[] {
  const names = new Set(measures.map(({ name }) => name));
  const cutoffs = new Set(measures.flatMap(({ cutoff }) => cutoff ?? []));
  const missing = [...cutoffs].filter((k) => !names.has(`judged@${k}`));
  return [...measures, ...missing.map((k) => getMeasure(`judged@${k}`))];
}

function measuresAt(k: number): readonly Measure[] {
  return [`hit@${k}`, `P@${k}`, `R@${k}`, 'RR', `nDCG@${k}`].map(getMeasure);
}

function getMeasure(name: string): Measure {
  const measure = parseMeasure(name);
  if (measure === undefined) {
    throw new RangeError(`'${name}': a cut-off must be a whole number from 1 to ${highestCutoff}`);
  }
  return measure;
}
