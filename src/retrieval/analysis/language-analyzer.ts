import { stopwords as germanStopwords } from '@orama/stopwords/german';
import snowball, { type Algorithm } from 'snowball-stemmers';

import { normalizeWord } from '../../ir/tokenize.ts';
import type { Analyzer } from '../../ir/analyzer.ts';

export type Language = 'english' | 'german';

/**
 * Drops stop words and stems with Snowball. Of a token with hyphens or slashes, the whole and each part are terms.
 * English has the stop words and the stemmer of Lucene's EnglishAnalyzer, German those of Snowball.
 */
export function createLanguageAnalyzer(language: Language): Analyzer {
  const { stopwords, algorithm } = languages[language];
  const skipped = new Set(stopwords.map(normalizeWord));
  const stemmer = snowball.newStemmer(algorithm);
  return {
    name: language,
    toTerms: (token) =>
      splitParts(token)
        .filter((part) => !skipped.has(part))
        .map((part) => stemmer.stem(part)),
  };
}

function splitParts(token: string): readonly string[] {
  const parts = token.split(/[-/]/);
  return parts.length === 1 ? parts : [token, ...parts];
}

const languages: Readonly<
  Record<Language, { readonly stopwords: readonly string[]; readonly algorithm: Algorithm }>
> = {
  english: {
    stopwords: (
      'a an and are as at be but by for if in into is it no not of on or such that the their ' +
      'then there these they this to was will with'
    ).split(' '),
    algorithm: 'porter',
  },
  german: { stopwords: germanStopwords, algorithm: 'german' },
};
