import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findDroppedCodes } from '../../../../src/ir/rewriting/dropped-codes.ts';
import {
  createGlossary,
  isOneWord,
  rewriteByGlossary,
} from '../../../../src/ir/rewriting/glossary.ts';
import { readReplyLines } from '../../../../src/ir/rewriting/reply-lines.ts';

describe('rewriteByGlossary', () => {
  it.each([
    ['keeps codes in one piece', 'stuck PRC-112, v4.5', 'blocked PRC-112 , v4.5'],
    ['knows words with either apostrophe', 'it can’t go', 'it is blocked go'],
    ['knows words however they are composed', 'Lu\u0308fter stuck', 'fan blocked'],
    ['does not look up what it put in', 'loop', 'stuck'],
    ['leaves a word within another alone', 'unstuck stuck', 'unstuck blocked'],
  ])('%s', (_case, question, rewritten) => {
    const terms = { stuck: 'blocked', "can't": 'is blocked', LÜFTER: 'fan', loop: 'stuck' };

    expect(rewriteByGlossary(question, createGlossary(terms))).toBe(rewritten);
  });

  it('takes no word for a property of objects', () => {
    expect(rewriteByGlossary('constructor toString', createGlossary({}))).toBeUndefined();
  });
});

describe('isOneWord', () => {
  it.each(['stuck', "can't", 'PRC-112', 'Lüfter', '4711'])('holds for %s', (word) => {
    expect(isOneWord(word)).toBe(true);
  });

  it.each(['', 'two words', ' stuck', '?', 'stuck?', "'quoted'"])('fails for "%s"', (word) => {
    expect(isOneWord(word)).toBe(false);
  });
});

describe('findDroppedCodes', () => {
  it('finds nothing in the question itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (question) => {
        expect(findDroppedCodes(question, question)).toEqual([]);
      }),
    );
  });

  it('finds each code once, however often and however it was written', () => {
    expect(findDroppedCodes('RM-4711, rm-4711 and 12', 'component 12')).toEqual(['rm-4711']);
  });
});

describe('readReplyLines', () => {
  it.each([
    ['numbers', '1. a b\n2) c d\n(3) e f\n[4] g h', ['a b', 'c d', 'e f', 'g h']],
    ['bullets', '- a b\n* c d\n• e f\n– g h', ['a b', 'c d', 'e f', 'g h']],
    ['quotation marks', '"a b"\n„c d“\n**e f**', ['a b', 'c d', 'e f']],
    ['an announcement', 'Sure, here they are:\na b', ['a b']],
    ['a fence', '```text\na b\n```', ['a b']],
    ['every kind of line end', 'a\r\nb\rc\u2028d', ['a', 'b', 'c', 'd']],
    ['what stands twice', 'a b\nA  B\nc', ['a b', 'c']],
    ['lines without a word', '1.\n---\n?\na', ['a']],
  ])('reads the wordings in spite of %s', (_case, reply, lines) => {
    expect(readReplyLines(reply, 100)).toEqual(lines);
  });

  it.each(['4500017311 status', '3 way match', '3.5 mm screw', "can't pay", 'e-mail blocked'])(
    'leaves "%s" as it is',
    (line) => {
      expect(readReplyLines(line, 100)).toEqual([line]);
    },
  );

  it('reads a megabyte of short lines without holding the process up', () => {
    const lines = Array.from({ length: 150_000 }, (_, index) => `${index.toString(36)}a`);
    const start = performance.now();

    expect(readReplyLines(lines.join('\n'), 100)).toEqual(lines);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('leaves out what is too long to be a question', () => {
    expect(readReplyLines(`${'x'.repeat(11)}\nshort`, 10)).toEqual(['short']);
  });
});
