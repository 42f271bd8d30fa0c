import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Grade, Id, isPlainGrade, isPlainId } from '../../../src/schemas/vocabulary.ts';

const longest = 'x'.repeat(512);

describe('isPlainId', () => {
  it.each(['D07', ' x ', 'a b', 'ä', '😀', longest])('takes %j, as Id does', (value) => {
    expect([isPlainId(value), Id.safeParse(value).success]).toEqual([true, true]);
  });

  it.each(['', ' ', '\t\n', '\u00A0', '__proto__', 'a\0b', '\uD800', `${longest}x`, 7, null])(
    'takes %j no more than Id does',
    (value) => {
      expect([isPlainId(value), Id.safeParse(value).success]).toEqual([false, false]);
    },
  );

  it('leaves what is longer in code units than in characters to Id', () => {
    const value = '😀'.repeat(512);
    expect([isPlainId(value), Id.safeParse(value).success]).toEqual([false, true]);
  });

  it('takes no text that Id refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (value) => {
        expect(isPlainId(value) && !Id.safeParse(value).success).toBe(false);
      }),
    );
  });
});

describe('isPlainGrade', () => {
  const values = [0, -0, 100, 101, -100, -101, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53];

  it.each([...values, '1', null, undefined].map((value) => ({ value })))(
    'takes $value where Grade does',
    ({ value }) => {
      expect(isPlainGrade(value)).toBe(Grade.safeParse(value).success);
    },
  );
});
