import { open } from 'node:fs/promises';
import process from 'node:process';

import { createQrelsReader, type InternedQrels } from '../src/ir/fast/interned-qrels.ts';
import { createRunReader, type InternedRun } from '../src/ir/fast/interned-run.ts';
import type { ByteSink } from '../src/ir/fast/line-blocks.ts';
import { scoreRun } from '../src/ir/fast/score-run.ts';
import type { Measure } from '../src/ir/measures/measure.ts';
import { parseMeasure } from '../src/ir/measures/parse-measure.ts';

// One whole process from two TREC files to means, as JSON. Usage: node bench/score-trec-files.ts qrels run
export const measures = ['nDCG@10', 'AP', 'RR', 'R@100', 'P@10'].map(toMeasure);

const chunkBytes = 4 * 2 ** 20;

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

export async function readFiles(
  qrelsPath: string,
  runPath: string,
): Promise<{ qrels: InternedQrels; run: InternedRun }> {
  const qrels = await feedFile(qrelsPath, (expectedBytes) => createQrelsReader({ expectedBytes }));
  const run = await feedFile(runPath, (expectedBytes) => createRunReader(qrels, { expectedBytes }));
  return { qrels, run };
}

async function feedFile<Result>(
  path: string,
  createReader: (expectedBytes: number) => ByteSink & { finish(): Result },
): Promise<Result> {
  const file = await open(path);
  try {
    const reader = createReader((await file.stat()).size);
    // One chunk is read while the other is worked on.
    let [chunk, spare] = [new Uint8Array(chunkBytes), new Uint8Array(chunkBytes)];
    let reading = file.read(chunk);
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return reader.finish();
      [chunk, spare] = [spare, chunk];
      reading = file.read(chunk);
      reader.add(spare.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

function toMeasure(name: string): Measure {
  const measure = parseMeasure(name);
  if (measure === undefined) throw new Error(`no measure ${name}`);
  return measure;
}
