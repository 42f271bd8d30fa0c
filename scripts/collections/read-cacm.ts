import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import {
  joinLines,
  type CollectionEntry,
} from '../../src/interchange/collections/collection-entry.ts';
import { readCollection } from '../../src/interchange/collections/read-collection.ts';
import { parseQrelsLine } from '../../src/ir/trec/qrels-line.ts';
import type { Collection } from './collection.ts';

/** Reads CACM as Anserini publishes it: `cacm.tar.gz`, `topics.cacm.txt` and `qrels.cacm.txt`. */
export async function readCacm(folder: string): Promise<Collection> {
  const topics = await readFile(join(folder, 'topics.cacm.txt'), 'utf8');
  const qrels = await readFile(join(folder, 'qrels.cacm.txt'), 'utf8');
  return {
    name: 'CACM',
    documents: await readArchive(join(folder, 'cacm.tar.gz')),
    topics: readCollection(topics),
    qrels: qrels.split('\n').flatMap((line) => {
      const judgment = parseQrelsLine(line);
      if (!judgment) return [];
      const { questionId: topic, documentId: document, grade } = judgment;
      return [{ topic, document, grade }];
    }),
    grades: 'as published: 1 is relevant',
    published: {
      measures: { AP: 0.3123, 'P@30': 0.1942 },
      source: "Anserini's regression of CACM: Lucene BM25, k1 0.9, b 0.4, 52 judged topics",
    },
  };
}

async function readArchive(archive: string): Promise<readonly CollectionEntry[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cacm-'));
  try {
    await promisify(execFile)('tar', ['-xzf', archive, '-C', folder]);
    const names = await readdir(folder, { recursive: true });
    const documents: CollectionEntry[] = [];
    for (const name of names.filter((file) => file.endsWith('.html')).toSorted()) {
      documents.push(readPage(name, await readFile(join(folder, name), 'latin1')));
    }
    return documents;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Each page is one `<pre>` inside `<html>`. */
function readPage(name: string, page: string): CollectionEntry {
  const text = joinLines(page.replace(/<\/?(?:html|pre)>/gi, ' '));
  return { id: name.replace(/^.*[\\/]|\.html$/g, ''), title: '', text };
}
