import type { Analyzer } from '../../../ir/analyzer.ts';
import { normalizeWord } from '../../../ir/tokenize.ts';
import type { LocalMethod } from '../../../model/search-configuration.ts';
import type { WarningText } from '../../../model/warnings.ts';

/** What a corpus knows of its language: words to skip, and words that mean the same. */
export interface Lexicon {
  readonly stopwords: readonly string[];
  /** The words of each concept. A word may belong to several. A word that is no single token never matches. */
  readonly concepts: Readonly<Record<string, readonly string[]>>;
}

/** A lexicon whose words and concepts are numbered from 0, the words in the form of tokens. */
export interface CompiledLexicon {
  readonly words: ReadonlyMap<string, number>;
  readonly conceptCount: number;
  isStopword(word: number): boolean;
  /** The concepts of a word, none for a number that is not one of the lexicon's. */
  conceptsOf(word: number): readonly number[];
}

export function compileLexicon({ stopwords, concepts }: Lexicon): CompiledLexicon {
  const words = new Map<string, number>();
  const conceptsOf = new Map<number, readonly number[]>();
  const stopwordNumbers = new Set(stopwords.map((word) => intern(words, word)));
  const entries = Object.values(concepts);
  for (const [concept, members] of entries.entries()) {
    for (const word of new Set(members.map((member) => intern(words, member)))) {
      conceptsOf.set(word, [...(conceptsOf.get(word) ?? []), concept]);
    }
  }
  return {
    words,
    conceptCount: entries.length,
    isStopword: (word) => stopwordNumbers.has(word),
    conceptsOf: (word) => conceptsOf.get(word) ?? none,
  };
}

const none: readonly number[] = [];

function intern(words: Map<string, number>, word: string): number {
  const normalized = normalizeWord(word);
  const number = words.get(normalized) ?? words.size;
  words.set(normalized, number);
  return number;
}

/** How an index reads texts. */
export interface TermReading {
  readonly lexicon: CompiledLexicon;
  readonly analyzer: Analyzer;
}

/** The terms of tokens, stop words left out. */
export function toTerms(
  { lexicon, analyzer }: TermReading,
  tokens: readonly string[],
): readonly string[] {
  return tokens.flatMap((token) => (isStopword(lexicon, token) ? [] : analyzer.toTerms(token)));
}

function isStopword(lexicon: CompiledLexicon, token: string): boolean {
  const word = lexicon.words.get(token);
  return word !== undefined && lexicon.isStopword(word);
}

/** Without concepts the vector search has nothing that it could compare. */
export function warnOfLexicon(
  { conceptCount }: CompiledLexicon,
  method: LocalMethod,
): readonly WarningText[] {
  if (method === 'bm25' || conceptCount > 0) return [];
  const reason = `The corpus has no "lexicon" with concepts, which the vector search of method "${method}" compares`;
  return method === 'vector'
    ? [{ code: 'no-lexicon', severity: 'error', message: `${reason}: it finds nothing` }]
    : [{ code: 'no-lexicon', message: `${reason}: only the search by words finds anything` }];
}
