import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseStrictJson } from '../../../src/interchange/strict-json.ts';

describe('parseStrictJson', () => {
  it('reads what JSON.stringify writes', () => {
    const value = fc.jsonValue({ maxDepth: 5 });
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (written, indent) => {
        const text = JSON.stringify(written, null, indent);
        fc.pre(!text.includes('__proto__'));
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"a":1,\n "b" 2}', 'at line 2, column 6'],
    ['{"a":}', 'at line 1, column 6'],
    ['{"a":1,}', 'at line 1, column 8: a comma must not stand before a closing bracket'],
    ["{'a':1}", 'at line 1, column 2: JSON has double quotation marks'],
    ['{"a":NaN}', 'at line 1, column 6: this is a value of another language'],
    ['{"a":True}', 'at line 1, column 6: this is a value of another language'],
    ['{"a":1} // x', 'at line 1, column 9: JSON has no comments'],
    [
      '{"a":1}\n{"a":2}',
      'at line 2, column 1: one JSON value ends before it; send one value per line',
    ],
    ['[1,2', 'at line 1, column 5'],
    ['', 'at line 1, column 1'],
  ])('says where %j breaks', (text, words) => {
    expect(() => parseStrictJson(text)).toThrow(words);
  });

  it.each([
    ['{"q1":{"d1":3,"d1":0}}', 'line 1, column 15'],
    ['{"a":1,\n"b":{"c:":1},\n"a":2}', 'line 3, column 1'],
    [String.raw`{"a":1,"\u0061":2}`, 'line 1, column 8'],
    [String.raw`{"a\"b\\":1,"a\"b\\":2}`, 'line 1, column 13'],
    ['[{"a":1},{"a":1,"a":1}]', 'line 1, column 17'],
    ['{"x":"a:b","y":{"x":1,"z":[{"x":1,"x":2}]}}', 'line 1, column 35'],
  ])('refuses a key twice: %j', (text, words) => {
    expect(() => parseStrictJson(text)).toThrow(`has a key twice in one object at ${words}`);
  });

  it('refuses what is too deep, too wide or reaches prototypes', () => {
    const wide = Object.fromEntries(Array.from({ length: 250_001 }, (_, index) => [index, 0]));

    expect(() => parseStrictJson('['.repeat(40) + ']'.repeat(40))).toThrow('nested deeper than 32');
    expect(() => parseStrictJson(JSON.stringify(wide))).toThrow('more than 250000 keys');
    expect(() => parseStrictJson('{"__proto__":{}}')).toThrow('forbidden key');
  });
});
