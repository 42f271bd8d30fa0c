import { describe, expect, it } from 'vitest';

import { parseRetryAfter } from '../../../../src/retrieval/resilience/retry-after.ts';

const now = Date.UTC(2026, 10, 30, 8, 0, 0);

describe('parseRetryAfter', () => {
  it.each([
    ['seconds', '3', 3000],
    ['a number', 3, 3000],
    ['zero', '0', 0],
    ['a fraction', '0.5', 500],
    ['blanks around', ' 2 ', 2000],
    ['an HTTP date', 'Mon, 30 Nov 2026 08:00:07 GMT', 7000],
    ['a date that has passed', 'Mon, 30 Nov 2026 07:00:00 GMT', 0],
    ['an absurd number', '99999999999', 60_000],
    ['a date far ahead', 'Fri, 30 Nov 2096 08:00:00 GMT', 60_000],
    ['nothing', undefined, undefined],
    ['an empty header', '', undefined],
    ['words', 'soon', undefined],
    ['a negative number', '-5', undefined],
    ['a list', ['3'], undefined],
  ])('reads %s', (_case, header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});
