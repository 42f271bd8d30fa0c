import { describe, expect, it } from 'vitest';

import { plainAnalyzer } from '../../../../src/ir/analyzer.ts';
import { createLanguageAnalyzer } from '../../../../src/retrieval/analysis/language-analyzer.ts';
import { readGoldenTable } from '../../../helpers/golden-table.ts';

describe('createLanguageAnalyzer', () => {
  it.each(['english', 'german'] as const)('stems %s as Snowball publishes', (language) => {
    const analyzer = createLanguageAnalyzer(language);
    const sample = readGoldenTable(`stemming/${language}`);

    expect(sample).toHaveLength(80);
    expect(sample.map(([word = '']) => [word, ...analyzer.toTerms(word)])).toEqual(sample);
  });

  // The stop words of Lucene and Snowball; the stems are those of the published vocabularies.
  it.each([
    ['english', 'these', []],
    ['english', 'consistently', ['consist']],
    ['german', 'daß', []],
    ['german', 'welche', []],
    ['german', 'käuflich', ['kauflich']],
  ] as const)('reads %s %s as %j', (language, token, terms) => {
    expect(createLanguageAnalyzer(language).toTerms(token)).toEqual(terms);
  });

  // By hand: the whole, then the parts without stop words.
  it.each([
    ['english', 'knights-knitting', ['knights-knit', 'knight', 'knit']],
    ['english', 'to/be', ['to/b']],
    ['german', 'katzen-kater', ['katzen-kat', 'katz', 'kat']],
  ] as const)('reads %s %s in whole and in parts', (language, token, terms) => {
    expect(createLanguageAnalyzer(language).toTerms(token)).toEqual(terms);
  });
});

describe('plainAnalyzer', () => {
  it('leaves tokens as they are', () => {
    expect(plainAnalyzer.toTerms('knights-knitting')).toEqual(['knights-knitting']);
  });
});
