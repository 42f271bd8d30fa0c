import { describe, expect, it } from 'vitest';

import { groupByQuestion } from '../../../../src/evaluation/catalog/group-by-question.ts';
import type { PairEntry } from '../../../../src/evaluation/catalog/stage-pairs.ts';

const limits = { maxPairs: 10 };

describe('groupByQuestion', () => {
  it('keeps a question together that two batches share', async () => {
    const { groups, rest } = await group([['q1 a', 'q1 b'], ['q1 c', 'q2 a'], ['q3 a']], limits);

    expect(groups).toEqual([
      ['q1', 1, ['a 1', 'b 2', 'c 3']],
      ['q2', 4, ['a 4']],
      ['q3', 5, ['a 5']],
    ]);
    expect(rest).toBeUndefined();
  });

  it('hands on every entry, in order, when a question comes again within a batch', async () => {
    const { groups, rest } = await group([['q1 a', 'q2 a'], ['q2 b', 'q1 b', 'q3 a'], ['q3 b']], {
      maxPairs: 10,
    });

    expect(groups).toEqual([]);
    expect(rest).toEqual(['q1 a 1', 'q2 a 2', 'q2 b 3', 'q1 b 4', 'q3 a 5', 'q3 b 6']);
  });

  it('hands the rest on when there are more questions than it remembers', async () => {
    const { rest } = await group([['q1 a', 'q2 a', 'q3 a']], { ...limits, maxQuestions: 2 });

    expect(rest).toEqual(['q1 a 1', 'q2 a 2', 'q3 a 3']);
  });

  it('keeps one pair more than a question may have, which shows that there are too many', async () => {
    const { groups } = await group([['q1 a', 'q1 b', 'q1 c', 'q1 d']], { maxPairs: 2 });

    expect(groups).toEqual([['q1', 1, ['a 1', 'b 2', 'c 3']]]);
  });
});

async function group(
  batches: readonly (readonly string[])[],
  options: Parameters<typeof groupByQuestion>[1],
) {
  const groups = groupByQuestion(toBatches(batches), options);
  const found: unknown[] = [];
  let next = await groups.next();
  for (; next.done !== true; next = await groups.next()) {
    for (const [id, { place, pairs }] of next.value.questions) {
      found.push([id, place, pairs.map((pair) => `${pair.documentId} ${pair.place}`)]);
    }
  }
  const left = next.value && (await Array.fromAsync(next.value.entries)).flat();
  const rest = left?.map(
    ({ questionId, documentId, line }) => `${questionId} ${documentId} ${line}`,
  );
  return { groups: found, rest };
}

/** Entries with their lines. */
async function* toBatches(
  batches: readonly (readonly string[])[],
): AsyncGenerator<readonly PairEntry[]> {
  let line = 0;
  for (const batch of batches) {
    yield batch.map((text) => {
      const [questionId = '', documentId = ''] = text.split(' ');
      line += 1;
      return { questionId, documentId, value: 1, line };
    });
  }
}
