import { describe, expect, it } from 'vitest';

import { createNearMissFinder } from '../../../src/ir/near-ids.ts';

describe('createNearMissFinder', () => {
  it.each([
    ['1e3', '1000'],
    ['1.5e+3', '1500'],
    ['007', '7'],
    ['1.0', '1'],
    ['Invoice%20May', 'invoice may'],
    // Not percent-encoded UTF-8, so it is kept as it is.
    ['a%FF', 'A%ff'],
  ])('finds %s near %s', (found, wanted) => {
    expect(createNearMissFinder([wanted]).find(found)).toEqual({ found, wanted });
  });

  it.each([
    ['1e99', '1'],
    ['1.5e0', '1'],
    ['a', 'a'],
  ])('finds %s not near %s', (found, wanted) => {
    expect(createNearMissFinder([wanted]).find(found)).toBeUndefined();
  });
});
