import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { evaluateCollection, type CollectionResult } from './collections/evaluate-collection.ts';
import type { Collection, Published } from './collections/collection.ts';
import { readCacm } from './collections/read-cacm.ts';
import { readCranfield } from './collections/read-cranfield.ts';
import { runForReader } from './demo/print.ts';

/** How far our figures may be from published ones. */
const tolerance = 0.015;

const readers = { cacm: readCacm, cranfield: readCranfield };

await runForReader(async () => {
  const root = process.argv[2] ?? 'collections';
  const signal = new AbortController().signal;
  for (const [name, read] of Object.entries(readers)) {
    const folder = join(root, name);
    if (existsSync(folder)) {
      const collection = await read(folder);
      const results = await evaluateCollection(collection, signal);
      print(collection, results);
      if (isFarFromPublished(collection, results)) process.exitCode = 1;
    } else {
      process.stdout.write(`${name}: not checked, because there is no folder ${folder}\n\n`);
    }
  }
});

/** The first configuration has the parameters of the published figures. */
function isFarFromPublished(
  { name, published }: Collection,
  [ours]: readonly CollectionResult[],
): boolean {
  const far = Object.entries(published?.measures ?? {}).filter(
    ([measure, value]) => !(Math.abs((ours?.measures[measure] ?? NaN) - value) <= tolerance),
  );
  for (const [measure, value] of far) {
    process.stderr.write(`${name}: ${measure} is more than ${tolerance} from ${value}\n`);
  }
  return far.length > 0;
}

/** Our figures beside the published ones, tab-separated. */
function print(
  { name, documents, topics, grades, published }: Collection,
  results: readonly CollectionResult[],
): void {
  const lines = [
    `${name}: ${documents.length} documents, ${topics.length} topics; grades ${grades}`,
    ['configuration', 'judged topics', ...Object.keys(results[0]?.measures ?? {})].join('\t'),
    ...results.map(({ configuration, questions, measures }) =>
      [configuration, questions, ...Object.values(measures).map(format)].join('\t'),
    ),
    published
      ? `published: ${listMeasures(published)} (${published.source})`
      : 'published: no figures that are agreed on, since grades are mapped in different ways',
  ];
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

function listMeasures({ measures }: Published): string {
  return Object.entries(measures)
    .map(([measure, value]) => `${measure} ${format(value)}`)
    .join(', ');
}

function format(value: number | null): string {
  return value === null ? 'none' : value.toFixed(4);
}
