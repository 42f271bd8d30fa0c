import { describe, expect, it } from 'vitest';

import { createReplyKeeper } from '../../../../src/retrieval/pipeline/reply-keeper.ts';

describe('createReplyKeeper', () => {
  it('keeps replies as they are while they are short', () => {
    const keeper = createReplyKeeper();
    keeper.add('[2] > [1]');
    keeper.add('');

    expect(keeper.read()).toEqual({ texts: ['[2] > [1]', ''], omitted: 0 });
  });

  it('cuts a long one, and omits those behind 8,000 characters', () => {
    const keeper = createReplyKeeper();
    for (const letter of 'abcdef') keeper.add(letter.repeat(1_000_000));
    keeper.add('short');
    const { texts, omitted } = keeper.read() ?? { texts: [], omitted: 0 };

    expect(texts.map((text) => [text.length, text[0], text.at(-1)])).toEqual(
      ['a', 'b', 'c', 'd'].map((letter) => [2000, letter, '…']),
    );
    expect(omitted).toBe(3);
  });

  it('has nothing where nothing was replied', () => {
    expect(createReplyKeeper().read()).toBeUndefined();
  });
});
