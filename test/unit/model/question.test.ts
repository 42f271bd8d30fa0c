import { describe, expect, it } from 'vitest';

import { sliceValues, type Question } from '../../../src/model/question.ts';

const question: Question = {
  id: 'q',
  text: 'q',
  tags: [],
  answerable: true,
  forbidden: [],
  judgments: [],
};

describe('sliceValues', () => {
  it.each<[Partial<Question>, readonly string[]]>([
    [{ kind: 'policy' }, ['policy']],
    [{}, ['(none)']],
    [{ kind: '(none)' }, ['((none))']],
    [{ kind: '((none))' }, ['(((none)))']],
    [{ kind: '(none) of them' }, ['(none) of them']],
  ])('names the kind of %j %j', (fields, names) => {
    expect(sliceValues({ ...question, ...fields }, 'kind')).toEqual(names);
  });

  it('puts a question into the slice of each of its tags once', () => {
    expect(sliceValues({ ...question, tags: ['a', 'b', 'a', '(none)'] }, 'tags')).toEqual([
      'a',
      'b',
      '((none))',
    ]);
    expect(sliceValues(question, 'tags')).toEqual(['(none)']);
  });
});
