import { describe, expect, it } from 'vitest';

import { readWaitSeconds } from '../../../../src/http/answers/prefer.ts';

describe('readWaitSeconds', () => {
  it.each([
    ['wait=30', 30],
    ['respond-async, wait=10', 10],
    ['Wait = 5; foo', 5],
    ['wait="7"', 7],
    ['wait=9999', 120],
    ['wait=-1', 0],
    ['wait', 0],
    ['', 0],
    [undefined, 0],
    [['return=minimal', 'wait=3'], 3],
  ])('reads %j as %d', (header, seconds) => {
    expect(readWaitSeconds(header)).toBe(seconds);
  });
});
