import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readCollection } from '../../src/interchange/collections/read-collection.ts';
import type { Collection, QrelsRow } from './collection.ts';

/** Reads Cranfield in its published form: `cran.all.1400`, `cran.qry` and `cranqrel`. */
export async function readCranfield(folder: string): Promise<Collection> {
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  const topics = readCollection(await read('cran.qry'));
  return {
    name: 'Cranfield',
    documents: readCollection(await read('cran.all.1400')),
    // The qrels count the queries by their position and not by their numbers.
    topics: topics.map((topic, index) => ({ ...topic, id: String(index + 1) })),
    qrels: (await read('cranqrel'))
      .split('\n')
      .flatMap((line, index) => (line.trim() === '' ? [] : [readRow(line, index + 1)])),
    grades: 'codes 1, 2, 3, 4 (1 is the best) became grades 4, 3, 2, 1; -1 became 0',
    published: undefined,
  };
}

function readRow(line: string, number: number): QrelsRow {
  const [topic, document, code, ...rest] = line.trim().split(/\s+/);
  const grade = code === undefined ? undefined : grades[code];
  if (topic === undefined || document === undefined || grade === undefined || rest.length > 0) {
    throw new Error(
      `cranqrel, line ${number}: is not a query, a document and a code (1 to 4, or -1)`,
    );
  }
  return { topic, document, grade };
}

const grades: Readonly<Record<string, number>> = { '1': 4, '2': 3, '3': 2, '4': 1, '-1': 0 };
