import { readFileSync } from 'node:fs';

/** The rows of a tab-separated file of `test/golden`, without its header. */
export function readGoldenTable(path: string): readonly (readonly string[])[] {
  const text = readFileSync(`test/golden/${path}.tsv`, 'utf8');
  const [, ...rows] = text.trimEnd().split('\n');
  return rows.map((row) => row.split('\t'));
}
