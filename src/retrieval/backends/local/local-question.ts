import { type TermReading, toTerms } from './lexicon.ts';
import type { LocalIndex } from './local-index.ts';
import { tokenize } from '../../../ir/tokenize.ts';

/** A question as an index sees it. */
export interface LocalQuestion {
  /** Its distinct terms without stop words, in the order in which each first occurs. */
  readonly terms: readonly QuestionTerm[];
  /** How often it names each concept. */
  readonly concepts: ReadonlyMap<number, number>;
}

export interface QuestionTerm {
  readonly text: string;
  /** `undefined`: no document of the corpus holds it. */
  readonly term: number | undefined;
  readonly count: number;
}

export function readQuestion(
  { terms, lexicon, analyzer }: TermReading & Pick<LocalIndex, 'terms'>,
  question: string,
): LocalQuestion {
  const tokens = tokenize(question);
  const termCounts = countAll(toTerms({ lexicon, analyzer }, tokens));
  return {
    terms: [...termCounts].map(([text, count]) => ({ text, term: terms.get(text), count })),
    concepts: countConcepts(lexicon, countAll(tokens)),
  };
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
