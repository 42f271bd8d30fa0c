/**
 * Scores TREC files without the service, in the order and with the values of trec_eval -c.
 *
 * npm run score -- QRELS RUN [MEASURE…]
 */
import process from 'node:process';

import { scoreRun } from '../src/ir/fast/score-run.ts';
import type { Measure } from '../src/ir/measures/measure.ts';
import { parseMeasure } from '../src/ir/measures/parse-measure.ts';
import { TrecLineError } from '../src/ir/trec/trec-line-error.ts';
import { print, runForReader } from './demo/print.ts';
import { readFiles } from './score/read-trec-files.ts';

const usual = ['nDCG@10', 'AP', 'RR', 'R@100', 'P@10'];

const [qrelsPath, runPath, ...names] = process.argv.slice(2);
try {
  if (qrelsPath === undefined || runPath === undefined) {
    throw new RangeError('Usage: npm run score -- QRELS RUN [MEASURE…]');
  }
  const measures = names.length > 0 ? names : usual;
  await runForReader(() => score(qrelsPath, runPath, measures));
} catch (error) {
  if (!isFault(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function score(qrelsFile: string, runFile: string, wanted: readonly string[]): Promise<void> {
  const measures = wanted.map(toMeasure);
  const { qrels, run } = await readFiles(qrelsFile, runFile);
  const scored = scoreRun(qrels, run, measures);
  const width = Math.max(...scored.map(({ name }) => name.length));
  for (const { name, mean } of scored) print(`${name.padEnd(width)}  ${mean ?? 'no question'}`);
}

function toMeasure(name: string): Measure {
  const measure = parseMeasure(name);
  if (measure) return measure;
  throw new RangeError(`unknown measure '${name}'; docs/measures.md lists all measures`);
}

/** What the caller can mend, which a stack trace would not help with. */
function isFault(error: unknown): error is Error {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  return error instanceof RangeError || error instanceof TrecLineError || isOfSystem;
}
