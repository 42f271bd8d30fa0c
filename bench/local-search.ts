import MiniSearch from 'minisearch';

import type { Lexicon } from '../src/retrieval/backends/local/lexicon.ts';
import type { LocalDocument } from '../src/retrieval/backends/local/local-document.ts';
import { buildLocalIndex, type LocalIndex } from '../src/retrieval/backends/local/local-index.ts';
import { createLocalRetriever } from '../src/retrieval/backends/local/local-retriever.ts';
import type { LocalMethod } from '../src/model/search-configuration.ts';

// Measures the local search on made-up chunks, beside MiniSearch on the same ones. Usage:
// node --expose-gc bench/local-search.ts [chunks]
const chunkCount = Number(process.argv[2] ?? 100_000);
const wordsAChunk = 60;
const vocabularySize = 50_000;
const queryCount = 200;
const warmUpCount = 20;
const chunking = { strategy: 'sections' } as const;
const methods: readonly LocalMethod[] = ['bm25', 'vector', 'hybrid', 'rerank'];

const random = createRandom(20_261_128);
const drawWord = createZipf(vocabularySize);
const documents = Array.from({ length: chunkCount }, (_, index) => makeDocument(index));
const questions = Array.from({ length: warmUpCount + queryCount }, () => makeText(6));

await run();

async function run(): Promise<void> {
  const local = await measureBuild(() =>
    buildLocalIndex(documents, { lexicon: makeLexicon(), chunking }),
  );
  const mini = await measureBuild(buildMiniSearch);
  const searches: [string, Latencies][] = [];
  for (const method of methods) {
    searches.push([method, await measureSearches(searchLocal(local.built, method))]);
  }
  const reference = await measureSearches(async (question) => mini.built.search(question));
  printBuilds(local, mini);
  printSearches([...searches, ['MiniSearch', reference]], reference);
}

interface Build<Built> {
  readonly built: Built;
  readonly milliseconds: number;
  readonly maxPause: number;
  readonly heapMegabytes: number;
}

async function measureBuild<Built>(build: () => Promise<Built>): Promise<Build<Built>> {
  const before = usedMemory();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const watch = watchPauses();
  const start = performance.now();
  const built = await build();
  const milliseconds = performance.now() - start;
  const maxPause = await watch.stop();
  return { built, milliseconds, maxPause, heapMegabytes: (usedMemory() - before) / 2 ** 20 };
}

/** The longest time between two turns of the event loop. */
function watchPauses(): { stop(): Promise<number> } {
  let longest = 0;
  let last = performance.now();
  let isStopped = false;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isStopped) setImmediate(tick);
  };
  setImmediate(tick);
  return {
    async stop() {
      await new Promise((resolve) => setImmediate(resolve));
      isStopped = true;
      return longest;
    },
  };
}

async function buildMiniSearch(): Promise<MiniSearch<{ id: string; text: string }>> {
  const miniSearch = new MiniSearch<{ id: string; text: string }>({ fields: ['text'] });
  miniSearch.addAll(
    documents.map(({ id, title, paragraphs }) => ({
      id,
      text: `${title}. ${paragraphs.join(' ')}`,
    })),
  );
  return miniSearch;
}

function searchLocal(
  index: LocalIndex,
  method: LocalMethod,
): (question: string) => Promise<unknown> {
  const retriever = createLocalRetriever(index, { method, chunking });
  const { signal } = new AbortController();
  return (question) => retriever.retrieve(question, { depth: 100, signal });
}

interface Latencies {
  readonly p50: number;
  readonly p95: number;
}

async function measureSearches(search: (question: string) => Promise<unknown>): Promise<Latencies> {
  const times: number[] = [];
  for (const question of questions) {
    const start = performance.now();
    await search(question);
    times.push(performance.now() - start);
  }
  const sorted = times.slice(warmUpCount).toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { p50: percentile(0.5), p95: percentile(0.95) };
}

function printBuilds(local: Build<unknown>, mini: Build<unknown>): void {
  const toRow = (name: string, build: Build<unknown>) => [
    name,
    build.milliseconds.toFixed(0),
    (build.milliseconds / mini.milliseconds).toFixed(2),
    build.maxPause.toFixed(1),
    build.heapMegabytes.toFixed(0),
  ];
  print(`${chunkCount} chunks of ${wordsAChunk} words, Node ${process.version}\n`);
  printTable([
    ['build', 'ms', 'ratio', 'longest pause ms', 'memory MB'],
    toRow('local', local),
    toRow('MiniSearch', mini),
  ]);
}

function printSearches(searches: readonly [string, Latencies][], reference: Latencies): void {
  printTable([
    [`search (${queryCount} questions)`, 'p50 ms', 'ratio', 'p95 ms', 'ratio'],
    ...searches.map(([name, { p50, p95 }]) => [
      name,
      p50.toFixed(2),
      (p50 / reference.p50).toFixed(2),
      p95.toFixed(2),
      (p95 / reference.p95).toFixed(2),
    ]),
  ]);
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const [name = '', ...numbers] of rows) {
    const cells = numbers.map((cell, index) => cell.padStart(widths[index + 1] ?? 0));
    print([name.padEnd(widths[0] ?? 0), ...cells].join('  '));
  }
  print('');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Heap and array buffers, since the postings live in the latter. */
function usedMemory(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function makeDocument(index: number): LocalDocument {
  return { id: `N${index}`, title: makeText(4), paragraphs: [makeText(wordsAChunk - 4)] };
}

function makeText(length: number): string {
  return Array.from({ length }, () => `w${drawWord()}`).join(' ');
}

/** Forty concepts of ten words, one of them common, the others spread over the vocabulary. */
function makeLexicon(): Lexicon {
  const concepts = Array.from({ length: 40 }, (_, concept) => [
    `c${concept}`,
    Array.from({ length: 10 }, (_word, index) => `w${10 + concept + index * index * 40}`),
  ]);
  return { stopwords: ['w0', 'w1', 'w2'], concepts: Object.fromEntries(concepts) };
}

/** Draws word numbers whose frequency falls with their rank, as in natural language. */
function createZipf(size: number): () => number {
  const cumulated = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank += 1) {
    sum += 1 / (rank + 1);
    cumulated[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** A seeded generator (mulberry32), so that every run searches the same. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
