import { describe, expect, it } from 'vitest';

import { findLeader, pickHeadline } from '../../../src/charts/headline.ts';

describe('pickHeadline', () => {
  it.each([
    [['hit@3', 'nDCG@10', 'judged@10'], 'nDCG@10'],
    [['judged@3', 'RR', 'hit@3'], 'RR'],
    [['judged@3'], 'judged@3'],
    [[], ''],
  ])('of %j is %s', (measures, headline) => {
    expect(pickHeadline(measures)).toBe(headline);
  });
});

describe('findLeader', () => {
  const rows = [
    { configuration: 'a', measures: { RR: 0.4 } },
    { configuration: 'b', measures: { RR: null } },
    { configuration: 'c', measures: { RR: 0.5 } },
  ];

  it('has the highest mean', () => {
    expect(findLeader(rows, 'RR')?.configuration).toBe('c');
  });

  it('is nobody where there is nothing to compare', () => {
    expect(findLeader(rows.slice(0, 2), 'RR')).toBeUndefined();
    expect(findLeader(rows, 'AP')).toBeUndefined();
  });
});
