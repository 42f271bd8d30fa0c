import type { LocalIndex } from './local-index.ts';
import { tokenize } from '../../../ir/tokenize.ts';

/** A question as an index sees it. */
export interface LocalQuestion {
  /** Its distinct tokens without stop words, in the order in which each first occurs. */
  readonly terms: readonly QuestionTerm[];
  /** How often it names each concept. */
  readonly concepts: ReadonlyMap<number, number>;
}

export interface QuestionTerm {
  readonly token: string;
  /** `undefined`: no document of the corpus holds it. */
  readonly term: number | undefined;
  readonly count: number;
}

export function readQuestion(
  { terms, lexicon }: Pick<LocalIndex, 'terms' | 'lexicon'>,
  question: string,
): LocalQuestion {
  const tokenCounts = countAll(tokenize(question));
  const concepts = countConcepts(lexicon, tokenCounts);
  const found: QuestionTerm[] = [];
  for (const [token, count] of tokenCounts) {
    const word = lexicon.words.get(token);
    if (word !== undefined && lexicon.isStopword(word)) continue;
    found.push({ token, term: terms.get(token), count });
  }
  return { terms: found, concepts };
}

/** How often a text names each concept. */
export function countConceptsOf(
  { lexicon }: Pick<LocalIndex, 'lexicon'>,
  tokens: readonly string[],
): ReadonlyMap<number, number> {
  return countConcepts(lexicon, countAll(tokens));
}

function countAll(tokens: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function countConcepts(
  lexicon: LocalIndex['lexicon'],
  tokenCounts: ReadonlyMap<string, number>,
): ReadonlyMap<number, number> {
  const concepts = new Map<number, number>();
  for (const [token, count] of tokenCounts) {
    const word = lexicon.words.get(token);
    if (word === undefined) continue;
    for (const concept of lexicon.conceptsOf(word)) {
      concepts.set(concept, (concepts.get(concept) ?? 0) + count);
    }
  }
  return concepts;
}
