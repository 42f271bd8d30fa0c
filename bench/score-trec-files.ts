import process from 'node:process';

import { readFiles } from './read-trec-files.ts';
import { scoreRun } from '../src/ir/fast/score-run.ts';
import type { Measure } from '../src/ir/measures/measure.ts';
import { parseMeasure } from '../src/ir/measures/parse-measure.ts';

// One whole process from two TREC files to means, as JSON. Usage: node bench/score-trec-files.ts qrels run
export const measures = ['nDCG@10', 'AP', 'RR', 'R@100', 'P@10'].map(toMeasure);

if (import.meta.main) {
  const [qrelsPath = '', runPath = ''] = process.argv.slice(2);
  const { qrels, run } = await readFiles(qrelsPath, runPath);
  const means = scoreRun(qrels, run, measures).map(({ name, mean }) => [name, mean]);
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const printed = {
    means: Object.fromEntries(means),
    peakMebibytes: maxRSS / 1024,
    processorMilliseconds: (userCPUTime + systemCPUTime) / 1000,
  };
  process.stdout.write(`${JSON.stringify(printed)}\n`);
}

function toMeasure(name: string): Measure {
  const measure = parseMeasure(name);
  if (measure === undefined) throw new Error(`no measure ${name}`);
  return measure;
}
