import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cutAtWhitespace, tokenize } from '../../../src/ir/tokenize.ts';

describe('tokenize', () => {
  it.each([
    ['Error PRC-112: GR/IR', ['error', 'prc-112', 'gr/ir']],
    ["the customer's", ['the', 'customer', 's']],
    ['a--b -c- d/', ['a', 'b', 'c', 'd']],
    ['a-b/c-1', ['a-b/c-1']],
    ['under_score', ['under', 'score']],
    ['Größe-3 Ärger', ['größe-3', 'ärger']],
    ['A\u0308rger', ['ärger']],
    ['हिन्दी', ['हिन्दी']],
    ['', []],
    ['?!', []],
  ])('cuts %j', (text, expected) => {
    expect(tokenize(text)).toEqual(expected);
  });

  it('equals the pattern for ASCII on ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        const expected = text.toLowerCase().match(/[a-z0-9]+(?:[-/][a-z0-9]+)*/g) ?? [];
        expect(tokenize(text)).toEqual([...expected]);
        // A letter beyond ASCII at the end makes it take the pattern for all scripts.
        expect(tokenize(`${text} ж`)).toEqual([...expected, 'ж']);
      }),
    );
  });
});

describe('cutAtWhitespace', () => {
  it('gives all of the text, in pieces that hold the same tokens', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', '\n', '-', 'ä') });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, length) => {
        const pieces = [...cutAtWhitespace(text, length)];
        expect(pieces.join('')).toBe(text);
        expect(pieces.flatMap(tokenize)).toEqual(tokenize(text));
      }),
    );
  });

  it('leaves a text without whitespace whole', () => {
    expect([...cutAtWhitespace('abcdef', 2)]).toEqual(['abcdef', '']);
  });
});
