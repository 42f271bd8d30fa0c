import { type Bitmap, hasBit } from './bitmap.ts';
import { isSearchedByTitle } from './chunking.ts';
import type { LocalDocument } from './local-document.ts';
import type { LocalIndex } from './local-index.ts';
import { toTerms } from './lexicon.ts';
import { countConceptsOf, type LocalQuestion } from './local-question.ts';
import type { RankedDocument } from './rank-documents.ts';
import { sumOfSquares, toCosine } from './similarity.ts';
import { findColumn, getRow } from './sparse-matrix.ts';
import { tokenize } from '../../../ir/tokenize.ts';

/**
 * Puts the first `candidates` of a ranking in the order of a closer look at their whole text: the cosine of
 * the concept counts + 0.3 × the share of the question's distinct terms that the text holds. The others
 * follow as they were, without a score, since theirs is of another kind. The whole text is the title and
 * the chunks that the filters let pass, so nothing that is hidden from the user moves a document.
 */
export function rerank(
  index: LocalIndex,
  question: LocalQuestion,
  ranking: readonly RankedDocument[],
  { candidates, allowed }: { readonly candidates: number; readonly allowed: Bitmap | undefined },
): readonly RankedDocument[] {
  const rescored = ranking
    .slice(0, candidates)
    .map(({ document }) => ({
      document,
      score: scoreWholeText(index, question, { document, allowed }),
    }))
    .toSorted((a, b) => b.score - a.score || a.document - b.document);
  const others = ranking.slice(candidates).map(({ document }) => ({ document, score: null }));
  return [...rescored, ...others];
}

const weightOfSharedTerms = 0.3;

/** As above, for one document. */
export function scoreWholeText(
  index: LocalIndex,
  question: LocalQuestion,
  { document, allowed }: { readonly document: number; readonly allowed: Bitmap | undefined },
): number {
  const { title } = index.documents[document] as LocalDocument;
  const text = { titleTokens: tokenize(title), chunks: listChunks(index, document, allowed) };
  const shared = countSharedTerms(index, question, text);
  const share = question.terms.length === 0 ? 0 : shared / question.terms.length;
  return compareConcepts(index, question, text) + weightOfSharedTerms * share;
}

interface WholeText {
  readonly titleTokens: readonly string[];
  readonly chunks: readonly number[];
}

function listChunks(
  { firstChunks }: LocalIndex,
  document: number,
  allowed: Bitmap | undefined,
): readonly number[] {
  const chunks: number[] = [];
  const end = firstChunks[document + 1] as number;
  for (let chunk = firstChunks[document] as number; chunk < end; chunk += 1) {
    if (!allowed || hasBit(allowed, chunk)) chunks.push(chunk);
  }
  return chunks;
}

function compareConcepts(
  index: LocalIndex,
  question: LocalQuestion,
  { titleTokens, chunks }: WholeText,
): number {
  const counts = new Map<number, number>();
  const add = (concept: number, count: number) =>
    counts.set(concept, (counts.get(concept) ?? 0) + count);
  for (const chunk of chunks) {
    const { first, end } = getRow(index.chunkConcepts, chunk);
    for (let entry = first; entry < end; entry += 1) {
      const { columns, counts: entryCounts } = index.chunkConcepts;
      add(columns[entry] as number, entryCounts[entry] as number);
    }
  }
  // The whole text has the title once, the chunks together have it as often as they are searched by it.
  const missingTitles = 1 - (isSearchedByTitle(index.chunking) ? chunks.length : 0);
  for (const [concept, count] of countConceptsOf(index, titleTokens)) {
    add(concept, missingTitles * count);
  }
  let product = 0;
  for (const [concept, count] of question.concepts) product += count * (counts.get(concept) ?? 0);
  return toCosine(product, sumOfSquares(question.concepts.values()), sumOfSquares(counts.values()));
}

function countSharedTerms(
  index: LocalIndex,
  question: LocalQuestion,
  { titleTokens, chunks }: WholeText,
): number {
  const { termPostings } = index;
  const inTitle = new Set(toTerms(index, titleTokens));
  return question.terms.filter(({ text, term }) => {
    if (inTitle.has(text)) return true;
    if (term === undefined) return false;
    const row = getRow(termPostings, term);
    return chunks.some((chunk) => {
      const entry = findColumn(termPostings, row, chunk);
      return entry < row.end && termPostings.columns[entry] === chunk;
    });
  }).length;
}
