import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeText } from '../../../src/interchange/decode-text.ts';

async function decode(bytes: Uint8Array, encoding?: string, size = 3): Promise<string> {
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += size) {
      yield bytes.subarray(start, start + size);
    }
  }
  return (await Array.fromAsync(decodeText(chunks(), encoding))).join('');
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('decodeText', () => {
  it('reads UTF-8 however it is cut, without its mark', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({ unit: 'binary' })
          .filter((text) => text.isWellFormed() && !/^.?\0|^\uFEFF/s.test(text)),
        fc.integer({ min: 1, max: 5 }),
        async (text, size) => {
          expect(await decode(Buffer.from(text), undefined, size)).toBe(text);
          expect(await decode(Buffer.from(`\uFEFF${text}`), undefined, size)).toBe(text);
        },
      ),
    );
  });

  // The bytes of "Prüfung €" in each encoding, as iconv writes them.
  it.each([
    ['Windows-1252', Buffer.from('5072fc66756e672080', 'hex'), 'windows-1252'],
    ['its alias', Buffer.from('5072fc66756e672080', 'hex'), 'CP1252'],
    ['ISO 8859-15', Buffer.from('5072fc66756e6720a4', 'hex'), 'iso-8859-15'],
    [
      'UTF-16 with a mark',
      Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.from('Prüfung €', 'utf16le')]),
      undefined,
    ],
    [
      'UTF-16 of the other order with a mark',
      Buffer.concat([Buffer.from('feff', 'hex'), utf16be('Prüfung €')]),
      undefined,
    ],
    ['UTF-16 without a mark', Buffer.from('Prüfung €', 'utf16le'), 'utf-16le'],
    ['a mark that contradicts the name', Buffer.from('\uFEFFPrüfung €'), 'windows-1252'],
  ])('reads %s', async (_name, bytes, encoding) => {
    expect(await decode(bytes, encoding)).toBe('Prüfung €');
  });

  it.each([
    ['question;document;grade\nPr\xfcfung;A1;3\n', 2, "the byte 0xFC is 'ü' in Windows-1252"],
    ['a,b,c\nd,e,f\n\x80,x,y\n', 3, "the byte 0x80 is '€' in Windows-1252"],
    ['Stra\xdfe', 1, "the byte 0xDF is 'ß' in Windows-1252"],
    ['a\nb\nc \x96 d', 3, "the byte 0x96 is '–' in Windows-1252"],
    ['ok\n\xe9t\xe9\n', 2, "the byte 0xE9 is 'é' in Windows-1252"],
    ['x\ny\xc3', 2, 'is not valid UTF-8'],
  ])('refuses bytes that are not UTF-8 with line and cause: %j', async (text, line, words) => {
    const decoded = decode(Buffer.from(text, 'latin1'));

    await expect(decoded).rejects.toMatchObject({ line, reason: expect.stringContaining(words) });
  });

  it('refuses a workbook, whatever encoding is named', async () => {
    const bytes = Buffer.from('504b0304140006000800', 'hex');

    await expect(decode(bytes)).rejects.toThrow('save the table as CSV');
    await expect(decode(bytes, 'windows-1252')).rejects.toThrow('Excel workbook');
  });

  it('refuses UTF-16 that has neither mark nor name, and unknown encodings', async () => {
    await expect(decode(Buffer.from('question', 'utf16le'))).rejects.toThrow('?encoding=utf-16le');
    await expect(decode(Buffer.from('q'), 'excel')).rejects.toThrow(
      "encoding 'excel' is not known",
    );
  });
});
