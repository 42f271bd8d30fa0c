import { readFileSync } from 'node:fs';

import { readGoldenTable } from './golden-table.ts';

const folder = 'test/golden/lab';

export function readLabJson<Value>(file: string): Value {
  return JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Value;
}

export function readLabLines<Value>(file: string): readonly Value[] {
  const lines = readFileSync(`${folder}/${file}`, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Value);
}

/** The documents of each question, for every chunking and method. */
export function readLabRankings(): readonly {
  readonly chunking: string;
  readonly method: string;
  readonly byQuestion: Readonly<Record<string, readonly string[]>>;
}[] {
  const groups = Map.groupBy(
    readGoldenTable('lab/rankings'),
    ([chunking, method]) => `${chunking} ${method}`,
  );
  return [...groups].map(([key, rows]) => {
    const [chunking = '', method = ''] = key.split(' ');
    const byQuestion = rows.map(([, , question = '', documents = '']) => {
      return [question, documents.split(' ').filter((id) => id !== '')] as const;
    });
    return { chunking, method, byQuestion: Object.fromEntries(byQuestion) };
  });
}
