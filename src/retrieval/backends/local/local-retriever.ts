import { findFilterWarnings } from '../../filter-warnings.ts';
import type { SearchFilter, UserConditions } from '../../../model/filters.ts';
import {
  type Passage,
  type RetrievedHit,
  type Retriever,
  type WholeText,
} from '../../retriever.ts';
import { type Bitmap, hasBit } from './bitmap.ts';
import { type CandidateChunks, rememberCandidates, toFilteredData } from './candidate-chunks.ts';
import { warnOfLexicon } from './lexicon.ts';
import type { Chunking, LocalMethod } from '../../../model/search-configuration.ts';
import { isSameChunking, splitDocument } from './chunking.ts';
import type { LocalDocument } from './local-document.ts';
import type { LocalIndex } from './local-index.ts';
import { type LocalQuestion, readQuestion } from './local-question.ts';
import {
  type RankedDocument,
  rankByFusion,
  rankByScore,
  scoreDocuments,
} from './rank-documents.ts';
import { rerank, scoreWholeText } from './rerank.ts';
import { type Bm25Reading, readForBm25, scoreByBm25, scoreByConcepts } from './score-chunks.ts';
import { defaultBm25 } from './similarity.ts';
import { noCost } from '../../../model/outcome.ts';

export interface LocalSearchOptions {
  readonly method: LocalMethod;
  /** What the index was built with. */
  readonly chunking: Chunking;
  /** How many documents of the hybrid ranking `rerank` looks at again; 8 unless given. */
  readonly candidates?: number | undefined;
  /** The k of reciprocal rank fusion; 60 unless given. */
  readonly rrfK?: number | undefined;
  /** Of BM25; 1.5 unless given. */
  readonly k1?: number | undefined;
  /** Of BM25; 0.75 unless given. */
  readonly b?: number | undefined;
  readonly filters?: readonly SearchFilter[] | undefined;
  readonly users?: Readonly<Record<string, UserConditions>> | undefined;
}

/**
 * Searches an index of this process. A document's score is its best chunk's; a document without any is not
 * returned. The same question always gives the same hits and scores, to the last bit.
 */
export function createLocalRetriever(index: LocalIndex, options: LocalSearchOptions): Retriever {
  if (!isSameChunking(index.chunking, options.chunking)) {
    throw new TypeError('The index was built with a different chunking than the search requires');
  }
  const findCandidates = rememberCandidates(index, options);
  const { k1 = defaultBm25.k1, b = defaultBm25.b } = options;
  const reading = readForBm25(index, { k1, b });
  return {
    documents: index.documents.length,
    async findDataWarnings(asked) {
      return [
        ...warnOfLexicon(index.lexicon, options.method),
        ...(await findFilterWarnings(toFilteredData(index, options), asked)),
      ];
    },
    passages: index.chunkCount,
    hasDocument: (documentId) => index.hasDocument(documentId),
    findPassage: (chunkId) => index.findPassage(chunkId),
    async retrieve(question, { depth, user, withTexts = false, signal }) {
      const start = performance.now();
      signal.throwIfAborted();
      const candidates = await findCandidates(user);
      signal.throwIfAborted();
      const { ranking, pairsReranked } = search(index, options, {
        question,
        depth,
        candidates,
        reading,
      });
      const found = ranking.slice(0, depth).map((ranked) => toHit(index, options, ranked));
      const hits = withTexts
        ? found.map((hit, rank) => {
            const document = (ranking[rank] as RankedDocument).document;
            return { ...addPassage(index, hit), whole: readWhole(index, document, candidates) };
          })
        : found;
      const latencyMs = performance.now() - start;
      return { hits, cost: { ...noCost, searches: 1, attempts: 1, latencyMs, pairsReranked } };
    },
  };
}

/** The chunk that the ranking is due to passed the filters, so its text may be read. */
function addPassage(index: LocalIndex, hit: RetrievedHit): RetrievedHit {
  return { ...hit, passage: hit.chunkId === null ? undefined : index.findPassage(hit.chunkId) };
}

/** The chunks that the filters let pass are all that a later stage reads of a document. */
function readWhole(
  index: LocalIndex,
  document: number,
  { allowed }: Pick<CandidateChunks, 'allowed'>,
): WholeText {
  return {
    read: () => readDocument(index, document, allowed),
    scoreFor: (question) =>
      scoreWholeText(index, readQuestion(index, question), { document, allowed }),
  };
}

interface Search {
  readonly question: string;
  readonly depth: number;
  readonly candidates: CandidateChunks;
  readonly reading: Bm25Reading;
}

interface SearchResult {
  readonly ranking: readonly RankedDocument[];
  readonly pairsReranked: number;
}

/** Runs in one go: it uses the workspace that all searches of the index share. */
function search(
  index: LocalIndex,
  { method, candidates: rerankCount = 8, rrfK = 60 }: LocalSearchOptions,
  { question: text, depth, candidates, reading }: Search,
): SearchResult {
  const question = readQuestion(index, text);
  const { bm25, vector } = index.workspace;
  if (method !== 'vector') runBm25(index, question, { candidates, reading });
  if (method !== 'bm25') runVector(index, question, candidates);
  if (method === 'bm25') return { ranking: rankByScore(bm25, depth), pairsReranked: 0 };
  if (method === 'vector') return { ranking: rankByScore(vector, depth), pairsReranked: 0 };
  const limit = method === 'rerank' ? Math.max(depth, rerankCount) : depth;
  const fused = rankByFusion([bm25, vector], { rrfK, limit });
  if (method === 'hybrid') return { ranking: fused, pairsReranked: 0 };
  return {
    ranking: rerank(index, question, fused, {
      candidates: rerankCount,
      allowed: candidates.allowed,
    }),
    pairsReranked: Math.min(rerankCount, fused.length),
  };
}

function runBm25(
  index: LocalIndex,
  question: LocalQuestion,
  { candidates, reading }: Pick<Search, 'candidates' | 'reading'>,
): void {
  const { chunks, bm25 } = index.workspace;
  scoreByBm25(index, question, { ...reading, allowed: candidates.allowed, board: chunks });
  scoreDocuments(index, chunks, { candidates, board: bm25 });
}

function runVector(index: LocalIndex, question: LocalQuestion, candidates: CandidateChunks): void {
  const { chunks, vector } = index.workspace;
  scoreByConcepts(index, question, { allowed: candidates.allowed, board: chunks });
  scoreDocuments(index, chunks, { candidates, board: vector });
}

function toHit(
  { documents, firstChunks, workspace }: LocalIndex,
  { method }: LocalSearchOptions,
  { document, score }: RankedDocument,
): RetrievedHit {
  const { bm25, vector } = workspace;
  const foundByBm25 = method !== 'vector' && bm25.scores[document] !== 0;
  const bestChunk = (foundByBm25 ? bm25 : vector).bestChunks[document] as number;
  const { id } = documents[document] as LocalDocument;
  return {
    documentId: id,
    chunkId: `${id}#${bestChunk - (firstChunks[document] as number)}`,
    score,
  };
}

/** The title and the chunks of a document that filters let pass, in their order, joined by spaces. */
function readDocument(
  { documents, firstChunks, chunking }: LocalIndex,
  number: number,
  allowed: Bitmap | undefined,
): Passage {
  const document = documents[number] as LocalDocument;
  const first = firstChunks[number] as number;
  const texts: string[] = [];
  let chunk = first;
  for (const { text } of splitDocument(document, chunking)) {
    if (!allowed || hasBit(allowed, chunk)) texts.push(text);
    chunk += 1;
  }
  return { title: document.title, text: texts.join(' ') };
}
