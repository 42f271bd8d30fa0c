import { describe, expect, it } from 'vitest';

import { compileIdPattern } from '../../../../src/retrieval/ai-core/id-pattern.ts';

describe('compileIdPattern', () => {
  it.each([
    ['/([^/]+)$', 'https://docs.example.test/a/b.pdf', 'b.pdf'],
    ['^(?:DOC|NOTE)-([0-9]+)', 'NOTE-17 draft', '17'],
    ['^(?P<id>[A-Z]+)', 'ABC-1', 'ABC'],
    ['^(x)?y', 'y', undefined],
    ['^([0-9]+)$', 'none', undefined],
  ])('reads %s off %s', (pattern, value, expected) => {
    expect(compileIdPattern(pattern)(value)).toBe(expected);
  });

  it.each([
    ['without a group', 'abc', 'exactly one capture group'],
    ['with two groups', '(a)(b)', 'exactly one capture group'],
    ['that does not compile', '(a', 'not a valid RE2 regular expression'],
    ['with a back-reference', '(a)\\1', 'not a valid RE2 regular expression'],
    ['with a look-ahead', '(?=a)(b)', 'not a valid RE2 regular expression'],
    ['that is huge', '(((((a{1,10}){1,10}){1,10}){1,10}){1,10})', ''],
  ])('refuses a pattern %s', (_case, pattern, message) => {
    expect(() => compileIdPattern(pattern)).toThrow(TypeError);
    expect(() => compileIdPattern(pattern)).toThrow(message);
  });

  // JavaScript's own engine needs time in the order of 2^40 for this one.
  it('takes time in proportion to the value', { timeout: 2000 }, () => {
    expect(compileIdPattern('^((?:a+)+)$')(`${'a'.repeat(5000)}!`)).toBeUndefined();
  });
});
