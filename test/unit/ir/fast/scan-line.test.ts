import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createScannedLine, readDecimal, scanLine } from '../../../../src/ir/fast/scan-line.ts';
import { splitColumns } from '../../../../src/ir/trec/columns.ts';

/** The line, with its line feed, cut into columns. */
function scan(text: string) {
  const line = createScannedLine();
  line.bytes = new Uint8Array(Buffer.from(`${text}\n`));
  scanLine(line);
  return line;
}

describe('scanLine', () => {
  it('cuts a line as the text parser does', () => {
    const character = fc.constantFrom(
      'a',
      'ä',
      '😀',
      ' ',
      '\t',
      '\r',
      '\v',
      '\f',
      '\0',
      '\u001f',
      '\u00a0',
      '\u2003',
    );
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 40 }), (text) => {
        const { bytes, starts, ends, columns, next } = scan(text);
        const expected = splitColumns(text);
        const kept = expected
          .slice(0, 8)
          .map((_, index) => Buffer.from(bytes.subarray(starts[index], ends[index])).toString());
        expect(columns).toBe(expected.length);
        expect(kept).toEqual(expected.slice(0, 8));
        expect(next).toBe(bytes.length);
      }),
    );
  });
});

describe('readDecimal', () => {
  it('gives the very number that the text means, or leaves it to others', () => {
    const digits = fc.string({
      unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'),
      maxLength: 12,
    });
    const sign = fc.constantFrom('', '+', '-');
    const point = fc.constantFrom('', '.');
    fc.assert(
      fc.property(sign, digits, point, digits, (...parts) => {
        const text = parts.join('');
        fc.pre(text !== '');
        const isPlain = /^[+-]?[0-9.]*[0-9][0-9.]*$/.test(text);
        const count = text.replaceAll(/[^0-9]/g, '').length;
        expect(readDecimal(scan(text), 0)).toBe(
          [Number.NaN, Number(text) + 0][Number(isPlain && count <= 15)],
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(['1e5', 'abc', '1.2.3', '--1', '-', '.', '1,5', '0x1', 'NaN', '1234567890123456'])(
    'leaves %s to others',
    (text) => {
      expect(readDecimal(scan(text), 0)).toBeNaN();
    },
  );
});
