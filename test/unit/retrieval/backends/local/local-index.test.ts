import { describe, expect, it } from 'vitest';

import type { LocalDocument } from '../../../../../src/retrieval/backends/local/local-document.ts';
import { buildLocalIndex } from '../../../../../src/retrieval/backends/local/local-index.ts';
import { createLocalRetriever } from '../../../../../src/retrieval/backends/local/local-retriever.ts';
import type { Chunking } from '../../../../../src/model/search-configuration.ts';

const sections: Chunking = { strategy: 'sections' };
const lexicon = { stopwords: [], concepts: {} };

describe('buildLocalIndex', () => {
  it('takes documents as they arrive', async () => {
    const index = await build(arrive());
    expect([index.hasDocument('A'), index.hasDocument('B'), index.hasDocument('C')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('refuses two documents of one id', async () => {
    await expect(build([makeDocument('A'), makeDocument('B'), makeDocument('A')])).rejects.toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining("'A'") }),
    );
  });

  it('passes on what breaks the source off', async () => {
    await expect(build(breakOff())).rejects.toThrow('the database is gone');
  });

  it.each([
    ['whole', { strategy: 'whole' }, 2],
    ['sections', { strategy: 'sections' }, 3],
    ['fixed, without the title', { strategy: 'fixed', size: 2 }, 4],
  ] as const)('cuts %s', async (_case, chunking, expected) => {
    const documents = [
      makeDocument('A', ['one two three', 'four five']),
      makeDocument('B', ['six']),
    ];
    expect((await build(documents, chunking)).chunkCount).toBe(expected);
  });

  it('gives the event loop its turns while it builds', async () => {
    const documents = Array.from({ length: 20_000 }, (_, index) =>
      makeDocument(`N${index}`, [`word${index % 977} word${index % 31} and some more words here`]),
    );
    const { turns, milliseconds } = await countTurns(() => build(documents));
    // Slices of 5 ms; the limit leaves room for a busy machine.
    expect(milliseconds / turns).toBeLessThan(50);
  });

  it('gives them within one long document too', async () => {
    const text = Array.from({ length: 400_000 }, (_, index) => `word${index % 9973}`).join(' ');
    const { turns, milliseconds } = await countTurns(() => build([makeDocument('A', [text])]));
    expect(milliseconds / turns).toBeLessThan(50);
  });
});

describe('findPassage', () => {
  const documents = [makeDocument('A#1', ['one two three', 'four five'])];

  it.each([
    [{ strategy: 'whole' }, 'A#1#0', 'one two three four five'],
    [{ strategy: 'sections' }, 'A#1#1', 'four five'],
    [{ strategy: 'fixed', size: 2 }, 'A#1#1', 'three four'],
    [{ strategy: 'fixed', size: 2 }, 'A#1#2', 'five'],
  ] as const)('reads the text of %j %s', async (chunking, chunkId, text) => {
    const index = await build(documents, chunking);
    expect(index.findPassage(chunkId)).toEqual({ title: 'About', text });
  });

  it.each(['A#1#2', 'A#1', 'A#1#', 'A#1#01', 'A#1#-1', 'A#1#x', 'B#0', ''])(
    'finds none for %j',
    async (chunkId) => {
      expect((await build(documents)).findPassage(chunkId)).toBeUndefined();
    },
  );
});

describe('text of any script', () => {
  const documents = [
    makeDocument('D1', ['Prüfung der Bremsbeläge']),
    makeDocument('D2', ['Pru\u0308fung des Lichts']),
    makeDocument('D3', ['проверка тормозов']),
    makeDocument('D4', ['ブレーキ の 点検']),
    makeDocument('D5', ['prufung']),
  ];

  it.each([
    ['composed', 'PRÜFUNG', ['D1', 'D2']],
    ['decomposed', 'pru\u0308fung', ['D1', 'D2']],
    ['without the umlaut', 'prufung', ['D5']],
    ['Cyrillic', 'Тормозов', ['D3']],
    ['Japanese', '点検', ['D4']],
  ])('is found: %s', async (_case, question, expected) => {
    const { hits } = await search(documents, question);
    expect(hits.map((hit) => hit.documentId)).toEqual(expected);
  });

  it('is found by concept however the lexicon is typed', async () => {
    const concepts = { check: ['Pru\u0308fung', 'ПРОВЕРКА'] };
    const index = await buildLocalIndex(documents, {
      lexicon: { stopwords: [], concepts },
      chunking: sections,
    });
    const retriever = createLocalRetriever(index, { method: 'vector', chunking: sections });
    const { hits } = await retriever.retrieve('prüfung', ask());
    expect(hits.map((hit) => hit.documentId)).toEqual(['D1', 'D2', 'D3']);
  });

  it('ties by the code points of the ids, beyond U+FFFF too', async () => {
    const ids = ['\u{1F6B2}', 'ä', '\uFF5E', 'b', 'Z'];
    const { hits } = await search(
      ids.map((id) => makeDocument(id)),
      'text',
    );
    expect(hits.map((hit) => hit.documentId)).toEqual(['Z', 'b', 'ä', '\uFF5E', '\u{1F6B2}']);
  });
});

function makeDocument(id: string, paragraphs: readonly string[] = ['text']): LocalDocument {
  return { id, title: 'About', paragraphs };
}

function build(
  documents: Iterable<LocalDocument> | AsyncIterable<LocalDocument>,
  chunking: Chunking = sections,
) {
  return buildLocalIndex(documents, { lexicon, chunking });
}

async function search(documents: readonly LocalDocument[], question: string) {
  const index = await build(documents);
  const retriever = createLocalRetriever(index, { method: 'bm25', chunking: sections });
  return retriever.retrieve(question, ask());
}

function ask() {
  return { depth: 10, signal: new AbortController().signal };
}

async function* arrive() {
  yield makeDocument('B');
  await Promise.resolve();
  yield makeDocument('A');
}

async function* breakOff() {
  yield makeDocument('B');
  await Promise.resolve();
  throw new Error('the database is gone');
}

async function countTurns(work: () => Promise<unknown>) {
  let turns = 0;
  let isOver = false;
  const tick = () => {
    turns += 1;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const start = performance.now();
  await work();
  isOver = true;
  return { turns, milliseconds: performance.now() - start };
}
