import { describe, expect, it } from 'vitest';

import { createRateLimiter } from '../../../packages/testing/src/rate-limit.ts';

describe('createRateLimiter', () => {
  it('admits so many within any second', () => {
    let now = 0;
    const admit = createRateLimiter({ requestsPerSecond: 2 }, () => now);
    const admitted = [0, 400, 500, 999, 1000, 1399, 1400].map((time) => {
      now = time;
      return admit();
    });
    expect(admitted).toEqual([true, true, false, false, true, false, true]);
  });

  it('admits nothing where nothing is allowed', () => {
    expect(createRateLimiter({ requestsPerSecond: 0 }, () => 0)()).toBe(false);
  });
});
