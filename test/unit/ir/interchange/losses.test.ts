import { describe, expect, it } from 'vitest';

import { losses } from '../../../../src/ir/interchange/losses.ts';

describe('losses', () => {
  it.each(Object.entries(losses))('are sentences for %s', (_format, sentences) => {
    expect(sentences.length).toBeGreaterThan(0);
    expect(sentences.join(' ')).toMatch(/^[A-Z].*\.$/);
  });
});
