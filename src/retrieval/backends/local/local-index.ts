import { InvalidInputError } from '../../../errors.ts';
import { type Analyzer, plainAnalyzer } from '../../../ir/analyzer.ts';
import { compareByCodePoint } from '../../../ir/compare-ids.ts';
import type { Passage } from '../../retriever.ts';
import type { Chunking } from '../../../model/search-configuration.ts';
import { isSearchedByTitle, splitDocument } from './chunking.ts';
import { compileLexicon, type Lexicon, type TermReading, toTerms } from './lexicon.ts';
import type { LocalDocument } from './local-document.ts';
import { createWorkspace, type Workspace } from './scoreboard.ts';
import { mergeSort } from './merge-sort.ts';
import { collectInSlices, type PausableWork, runInSlices } from './pausable-work.ts';
import {
  createMatrixRows,
  getRow,
  type MatrixRows,
  type SparseMatrix,
  transposeMatrix,
} from './sparse-matrix.ts';
import { cutAtWhitespace, tokenize } from '../../../ir/tokenize.ts';

/**
 * A corpus made ready for search. Documents stand in the order of their ids and chunks in the order of
 * their documents, so that comparing numbers compares ids, and the order of the input leaves no trace.
 */
export interface LocalIndex extends TermReading {
  readonly chunking: Chunking;
  readonly documents: readonly LocalDocument[];
  readonly chunkCount: number;
  /** The number of each document's first chunk; one entry more holds the number of chunks. */
  readonly firstChunks: Uint32Array;
  readonly documentOfChunk: Uint32Array;
  /** Terms by number. */
  readonly terms: ReadonlyMap<string, number>;
  /** Chunks by term, stop words left out. */
  readonly termPostings: SparseMatrix;
  /** In terms that are no stop words. */
  readonly chunkLengths: Uint32Array;
  /** Chunks by concept, and the same by chunk. */
  readonly conceptPostings: SparseMatrix;
  readonly chunkConcepts: SparseMatrix;
  /** The squared length of each chunk's vector of concept counts. */
  readonly squaredLengths: Float64Array;
  readonly workspace: Workspace;
  hasDocument(documentId: string): boolean;
  /** The text behind the chunk id of a hit. */
  findPassage(chunkId: string): Passage | undefined;
}

export interface IndexOptions {
  readonly lexicon: Lexicon;
  readonly chunking: Chunking;
  /** `plainAnalyzer` unless given. */
  readonly analyzer?: Analyzer | undefined;
}

/**
 * Builds the index in slices of a few milliseconds, between which everything else in the process runs.
 * Refuses a corpus in which two documents have one id.
 */
export async function buildLocalIndex(
  documents: Iterable<LocalDocument> | AsyncIterable<LocalDocument>,
  options: IndexOptions,
): Promise<LocalIndex> {
  return runInSlices(build(await collectInSlices(documents), options));
}

function* build(
  unsorted: readonly LocalDocument[],
  { lexicon, chunking, analyzer = plainAnalyzer }: IndexOptions,
): PausableWork<LocalIndex> {
  const documents = yield* mergeSort(unsorted, (a, b) => compareByCodePoint(a.id, b.id));
  const draft = createDraft({ lexicon: compileLexicon(lexicon), analyzer });
  for (const [index, document] of documents.entries()) {
    refuseRepeatedId(document, documents[index - 1]);
    yield* addDocument(draft, document, chunking);
  }
  const chunkCount = draft.chunkLengths.length;
  const conceptPostings = yield* draft.concepts.transpose(draft.lexicon.conceptCount);
  const chunkConcepts = yield* transposeMatrix(conceptPostings, chunkCount);
  return {
    chunking,
    documents,
    chunkCount,
    firstChunks: new Uint32Array(draft.firstChunks),
    documentOfChunk: new Uint32Array(draft.documentOfChunk),
    analyzer,
    terms: draft.terms,
    lexicon: draft.lexicon,
    termPostings: yield* draft.termRows.transpose(draft.terms.size),
    chunkLengths: Uint32Array.from(draft.chunkLengths),
    conceptPostings,
    chunkConcepts,
    squaredLengths: yield* squareLengths(chunkConcepts),
    workspace: createWorkspace(chunkCount, documents.length),
    hasDocument: (documentId) => findDocument(documents, documentId) !== undefined,
    findPassage: (chunkId) => findPassage(documents, chunking, chunkId),
  };
}

/** An index while it grows. */
interface Draft extends TermReading {
  readonly tokens: Map<string, KnownToken>;
  readonly terms: Map<string, number>;
  readonly termRows: MatrixRows;
  readonly concepts: MatrixRows;
  readonly firstChunks: number[];
  readonly documentOfChunk: number[];
  readonly chunkLengths: number[];
}

/** What a token adds to its chunk, found once. */
interface KnownToken {
  readonly concepts: readonly number[];
  readonly terms: readonly number[];
}

function createDraft(reading: TermReading): Draft {
  return {
    ...reading,
    tokens: new Map(),
    terms: new Map(),
    termRows: createMatrixRows(),
    concepts: createMatrixRows(),
    firstChunks: [0],
    documentOfChunk: [],
    chunkLengths: [],
  };
}

function refuseRepeatedId({ id }: LocalDocument, previous: LocalDocument | undefined): void {
  if (!previous || compareByCodePoint(previous.id, id) !== 0) return;
  throw new InvalidInputError(`Duplicate document id '${id}' in the corpus`, [
    { pointer: '/documents', detail: `Duplicate id '${id}'` },
  ]);
}

function* addDocument(
  draft: Draft,
  document: LocalDocument,
  chunking: Chunking,
): PausableWork<void> {
  const documentNumber = draft.firstChunks.length - 1;
  const title = isSearchedByTitle(chunking) ? tokenize(document.title) : [];
  for (const { text } of splitDocument(document, chunking)) {
    let length = addTokens(draft, title);
    for (const piece of cutAtWhitespace(text)) {
      length += addTokens(draft, tokenize(piece));
      yield;
    }
    endChunk(draft, documentNumber, length);
  }
  draft.firstChunks.push(draft.chunkLengths.length);
}

/** Returns how many terms they add. */
function addTokens(draft: Draft, tokens: readonly string[]): number {
  let length = 0;
  for (const token of tokens) {
    const { concepts, terms } = draft.tokens.get(token) ?? learnToken(draft, token);
    for (const concept of concepts) draft.concepts.increment(concept);
    for (const term of terms) draft.termRows.increment(term);
    length += terms.length;
  }
  return length;
}

function learnToken(draft: Draft, found: string): KnownToken {
  const { lexicon, analyzer } = draft;
  // A copy, because a token cut out of a text keeps the whole text in memory.
  const token = Buffer.from(found, 'utf16le').toString('utf16le');
  const word = lexicon.words.get(token);
  const terms = toTerms({ lexicon, analyzer }, [token]);
  const known = {
    concepts: word === undefined ? [] : lexicon.conceptsOf(word),
    terms: terms.map((term) => internTerm(draft.terms, term)),
  };
  draft.tokens.set(token, known);
  return known;
}

function internTerm(terms: Map<string, number>, term: string): number {
  const known = terms.get(term) ?? terms.size;
  terms.set(term, known);
  return known;
}

function endChunk(draft: Draft, documentNumber: number, length: number): void {
  draft.termRows.endRow();
  draft.concepts.endRow();
  draft.documentOfChunk.push(documentNumber);
  draft.chunkLengths.push(length);
}

function* squareLengths(chunkConcepts: SparseMatrix): PausableWork<Float64Array> {
  const squaredLengths = new Float64Array(chunkConcepts.offsets.length - 1);
  for (const chunk of squaredLengths.keys()) {
    const { first, end } = getRow(chunkConcepts, chunk);
    for (let entry = first; entry < end; entry += 1) {
      const count = chunkConcepts.counts[entry] as number;
      squaredLengths[chunk] = (squaredLengths[chunk] as number) + count * count;
    }
    if (chunk % chunksAStep === 0) yield;
  }
  return squaredLengths;
}

const chunksAStep = 4096;

function findDocument(
  sorted: readonly LocalDocument[],
  documentId: string,
): LocalDocument | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareByCodePoint((sorted[middle] as LocalDocument).id, documentId) < 0) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.id === documentId ? sorted[low] : undefined;
}

function findPassage(
  sorted: readonly LocalDocument[],
  chunking: Chunking,
  chunkId: string,
): Passage | undefined {
  // The last #, since a document's own id may hold one.
  const [, documentId, chunkNumber] = /^(.*)#(0|[1-9]\d*)$/s.exec(chunkId) ?? [];
  if (documentId === undefined) return undefined;
  const document = findDocument(sorted, documentId);
  if (!document) return undefined;
  const chunk = [...splitDocument(document, chunking)][Number(chunkNumber)];
  return chunk && { title: document.title, text: chunk.text };
}
