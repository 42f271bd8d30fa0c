import { Readable } from 'node:stream';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readLines } from '../../../../src/http/bodies/line-body.ts';

const read = (chunks: readonly Buffer[], limit = 1e9) =>
  Array.fromAsync(readLines(Readable.from(chunks), limit));

describe('readLines', () => {
  it('finds the same lines however the bytes are cut', async () => {
    const text = fc.array(
      fc.string({ unit: 'grapheme' }).map((line) => line.replaceAll('\n', ' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (lines, size) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const count = Math.ceil(bytes.length / size);
        const chunks = Array.from({ length: count }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );

        const found = await read(chunks);

        expect(found.map((line) => line.text)).toEqual(lines);
        expect(found.map((line) => line.number)).toEqual(lines.map((_, index) => index + 1));
      }),
    );
  });

  it('reads a last line without its end', async () => {
    expect(await read([Buffer.from('a\nb')])).toEqual([
      { text: 'a', number: 1 },
      { text: 'b', number: 2 },
    ]);
  });

  it('refuses more bytes than allowed, and a line that never ends', async () => {
    const endless = Array.from({ length: 5 }, () => Buffer.alloc(1024 * 1024, 'x'));

    await expect(read([Buffer.from('aaaa\n')], 4)).rejects.toMatchObject({
      code: 'body-too-large',
    });
    await expect(read(endless)).rejects.toMatchObject({ code: 'body-too-large' });
  });
});
