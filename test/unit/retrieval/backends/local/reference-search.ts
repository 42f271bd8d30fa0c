/**
 * The local search by its definition: it looks at every chunk for every question and sorts whole lists.
 * Written for tests on ASCII text, to be compared with; it shares no code with the search it checks.
 */
import type { LocalDocument } from '../../../../../src/retrieval/backends/local/local-document.ts';
import type { Lexicon } from '../../../../../src/retrieval/backends/local/lexicon.ts';
import type {
  FilterTree,
  MetadataCondition,
  SearchFilter,
} from '../../../../../src/model/filters.ts';
import type { Chunking, LocalMethod } from '../../../../../src/model/search-configuration.ts';

export interface ReferenceSearch {
  readonly documents: readonly LocalDocument[];
  readonly lexicon: Lexicon;
  readonly chunking: Chunking;
  readonly method: LocalMethod;
  readonly candidates: number;
  readonly rrfK: number;
  /** Those of the user included. */
  readonly filters: readonly SearchFilter[];
}

interface ReferenceChunk {
  readonly document: LocalDocument;
  readonly index: number;
  readonly body: string;
  readonly searched: string;
  readonly paragraphs: readonly number[];
}

interface Scored {
  readonly documentId: string;
  readonly chunk: ReferenceChunk;
  readonly score: number;
}

export interface ReferenceHit {
  readonly documentId: string;
  readonly chunkId: string;
  readonly score: number | null;
}

export function searchByDefinition(
  search: ReferenceSearch,
  question: string,
): readonly ReferenceHit[] {
  const chunks = search.documents.flatMap((document) => cut(document, search.chunking));
  const bm25 = rankDocuments(search, chunks, (chunk) => scoreBm25(search, chunks, chunk, question));
  const vector = rankDocuments(search, chunks, (chunk) =>
    cosine(search.lexicon, question, chunk.searched),
  );
  if (search.method === 'bm25') return bm25.map(toHit);
  if (search.method === 'vector') return vector.map(toHit);
  const fused = fuse(bm25, vector, search.rrfK);
  if (search.method === 'hybrid') return fused.map(toHit);
  const rescored = fused
    .slice(0, search.candidates)
    .map((hit) => ({ ...hit, score: rescore(search, chunks, hit, question) }))
    .toSorted(byScore);
  const others = fused.slice(search.candidates).map((hit) => ({ ...toHit(hit), score: null }));
  return [...rescored.map(toHit), ...others];
}

/** Whether any of the filters lets any chunk of the document pass. */
export function isAllowed(
  { chunking, filters }: ReferenceSearch,
  document: LocalDocument | undefined,
): boolean {
  if (!document) return false;
  return cut(document, chunking).some((chunk) => passesAny(filters, chunk));
}

function toHit({ documentId, chunk, score }: Scored): ReferenceHit {
  return { documentId, chunkId: `${documentId}#${chunk.index}`, score };
}

function byScore(a: Scored, b: Scored): number {
  const byId = Buffer.compare(Buffer.from(a.documentId), Buffer.from(b.documentId));
  return b.score - a.score || byId || a.chunk.index - b.chunk.index;
}

function cut(document: LocalDocument, chunking: Chunking): readonly ReferenceChunk[] {
  const { title, paragraphs } = document;
  const all = paragraphs.join(' ');
  if (chunking.strategy === 'fixed') return cutWindows(document, chunking.size);
  if (chunking.strategy === 'whole') {
    const origins = [...paragraphs.keys()].filter((index) => paragraphs[index]!.trim() !== '');
    return [{ document, index: 0, body: all, searched: `${title}. ${all}`, paragraphs: origins }];
  }
  return paragraphs.map((body, index) => ({
    document,
    index,
    body,
    searched: `${title}. ${body}`,
    paragraphs: [index],
  }));
}

function cutWindows(document: LocalDocument, size: number): readonly ReferenceChunk[] {
  const words = document.paragraphs.flatMap((text, origin) =>
    text.split(/\s+/).flatMap((word) => (word ? [{ word, origin }] : [])),
  );
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) => {
    const window = words.slice(index * size, (index + 1) * size);
    const body = window.map(({ word }) => word).join(' ');
    const origins = [...new Set(window.map(({ origin }) => origin))];
    return { document, index, body, searched: body, paragraphs: origins };
  });
}

function tokens(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+(?:[-/][a-z0-9]+)*/g) ?? [];
}

function contentTokens(lexicon: Lexicon, text: string): readonly string[] {
  return tokens(text).filter((token) => !lexicon.stopwords.includes(token));
}

function count(list: readonly string[], wanted: string): number {
  return list.filter((token) => token === wanted).length;
}

function scoreBm25(
  { lexicon }: ReferenceSearch,
  chunks: readonly ReferenceChunk[],
  chunk: ReferenceChunk,
  question: string,
): number {
  const texts = chunks.map(({ searched }) => contentTokens(lexicon, searched));
  const average = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const own = contentTokens(lexicon, chunk.searched);
  const asked = contentTokens(lexicon, question);
  return [...new Set(asked)].reduce((sum, token) => {
    const tf = count(own, token);
    const df = texts.filter((text) => text.includes(token)).length;
    const idf = Math.log(1 + (texts.length - df + 0.5) / (df + 0.5));
    if (tf === 0) return sum;
    const norm = 1.5 * (1 - 0.75 + (0.75 * own.length) / average);
    return sum + count(asked, token) * idf * ((tf * (1.5 + 1)) / (tf + norm));
  }, 0);
}

function cosine({ concepts }: Lexicon, a: string, b: string): number {
  const toVector = (text: string) =>
    Object.values(concepts).map((words) => tokens(text).filter((t) => words.includes(t)).length);
  const [x, y] = [toVector(a), toVector(b)];
  const product = dot(x, y);
  return product === 0 ? 0 : Math.sqrt(product ** 2 / (dot(x, x) * dot(y, y)));
}

function dot(x: readonly number[], y: readonly number[]): number {
  return x.reduce((sum, value, index) => sum + value * y[index]!, 0);
}

function rankDocuments(
  { filters }: ReferenceSearch,
  chunks: readonly ReferenceChunk[],
  scoreOf: (chunk: ReferenceChunk) => number,
): readonly Scored[] {
  const scored = chunks
    .map((chunk) => ({ documentId: chunk.document.id, chunk, score: scoreOf(chunk) }))
    .filter(({ score }) => score > 0)
    .toSorted(byScore);
  const found = filters.length === 0 ? scored : filters.flatMap((filter) => limit(filter, scored));
  return bestOfEach(found.toSorted(byScore));
}

function limit(filter: SearchFilter, scored: readonly Scored[]): readonly Scored[] {
  const { maxChunkCount, maxDocumentCount } = filter.searchConfiguration ?? {};
  const chunks = scored
    .filter(({ chunk }) => passes(filter, chunk))
    .slice(0, maxChunkCount ?? undefined);
  const documents = bestOfEach(chunks).slice(0, maxDocumentCount ?? undefined);
  return chunks.filter((hit) => documents.some((best) => best.documentId === hit.documentId));
}

function bestOfEach(sorted: readonly Scored[]): readonly Scored[] {
  return sorted.filter(
    (hit, index) => sorted.findIndex((other) => other.documentId === hit.documentId) === index,
  );
}

function fuse(bm25: readonly Scored[], vector: readonly Scored[], k: number): readonly Scored[] {
  const inverse = (list: readonly Scored[], documentId: string) => {
    const index = list.findIndex((hit) => hit.documentId === documentId);
    return index === -1 ? 0 : 1 / (k + index + 1);
  };
  return bestOfEach([...bm25, ...vector])
    .map((hit) => ({
      ...hit,
      score: inverse(bm25, hit.documentId) + inverse(vector, hit.documentId),
    }))
    .toSorted(byScore);
}

function rescore(
  { lexicon, filters }: ReferenceSearch,
  chunks: readonly ReferenceChunk[],
  { chunk: { document } }: Scored,
  question: string,
): number {
  const visible = chunks.filter(
    (chunk) => chunk.document === document && passesAny(filters, chunk),
  );
  const text = [document.title, ...visible.map((chunk) => chunk.body)].join(' ');
  const asked = [...new Set(contentTokens(lexicon, question))];
  const shared = asked.filter((token) => tokens(text).includes(token)).length;
  const share = asked.length === 0 ? 0 : shared / asked.length;
  return cosine(lexicon, question, text) + 0.3 * share;
}

function passesAny(filters: readonly SearchFilter[], chunk: ReferenceChunk): boolean {
  return filters.length === 0 || filters.some((filter) => passes(filter, chunk));
}

function passes(filter: SearchFilter, chunk: ReferenceChunk): boolean {
  const holdsOne = (scope: 'repository' | 'document' | 'chunk', condition: MetadataCondition) => {
    const values = valuesOf(chunk, scope, condition.key);
    if (values === undefined) return (condition.selectMode ?? []).includes('ignoreIfKeyAbsent');
    return values.some((value) => condition.value.includes(value));
  };
  const holdsTree = (tree: FilterTree): boolean => {
    if ('scope' in tree) return holdsOne(tree.scope, tree);
    const sides = [holdsTree(tree.left), holdsTree(tree.right)];
    return tree.operator === 'and' ? sides.every(Boolean) : sides.some(Boolean);
  };
  return [
    ...(filter.dataRepositoryMetadata ?? []).map((condition) => holdsOne('repository', condition)),
    ...(filter.documentMetadata ?? []).map((condition) => holdsOne('document', condition)),
    ...(filter.chunkMetadata ?? []).map((condition) => holdsOne('chunk', condition)),
    ...(filter.filter ? [holdsTree(filter.filter)] : []),
  ].every(Boolean);
}

function valuesOf(
  { document, paragraphs }: ReferenceChunk,
  scope: 'repository' | 'document' | 'chunk',
  key: string,
): readonly string[] | undefined {
  if (scope === 'repository') return undefined;
  if (scope === 'document') return document.metadata?.[key];
  const found = paragraphs.flatMap((index) => {
    const values = document.chunkMetadata?.[index]?.[key];
    return values ? [values] : [];
  });
  return found.length === 0 ? undefined : found.flat();
}
