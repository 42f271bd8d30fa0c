import { describe, expect, it } from 'vitest';

import { BrokenRowError } from '../../../../src/errors.ts';
import { Prices } from '../../../../src/model/prices.ts';
import { parseStored } from '../../../../src/storage/database/parse-stored.ts';
import { toOutcome } from '../../../../src/storage/evaluations/stored-outcome.ts';

const place = { table: 'price_table', column: 'body', row: '7' } as const;
const parse = (text: string) => parseStored(Prices, text, place);

describe('stored JSON', () => {
  it('is returned as it was stored, with fields of a later release and keys of any name', () => {
    const model = '{"per1000PromptTokens":1,"per1000CompletionTokens":2}';
    const text = `{"currency":"EUR","later":{"a":1},"models":{"__proto__":${model}}}`;

    expect(JSON.stringify(parse(text))).toBe(text);
  });

  it.each([
    ['is cut off', '{"currency":"EU'],
    ['is another kind of value', 'null'],
    ['lacks a field', '{"perSearch":1}'],
    ['has a field of another type', '{"currency":"EUR","perSearch":"secret"}'],
  ])('that %s is refused by table, column and row, without its content', (_case, text) => {
    const error = catchError(() => parse(text));

    expect(error).toBeInstanceOf(BrokenRowError);
    expect(error).toMatchObject({ code: 'broken-row', details: place, cause: undefined });
    expect((error as Error).message).toBe(
      "Stored data cannot be read: column 'body' of table 'price_table', row '7'. Restore the row from a backup or delete it from the database",
    );
  });
});

describe('the hits of a stored outcome', () => {
  it.each([
    ['are no list', '{"0":["D1",1,null]}'],
    ['hold a hit that is no list', '["D1"]'],
    ['hold a document id that is a number', '[[1,1,null]]'],
    ['hold a score that is a text', '[["D1","1",null]]'],
    ['hold chunks that are no list', '[["D1",1,null,{}]]'],
    ['hold a chunk without a snippet', '[["D1",1,null,[["c",1,"score",null]]]]'],
  ])('that %s are refused', (_case, hits) => {
    expect(() => toOutcome({ ...outcome, hits })).toThrow("'hits' of table 'outcome', row 'e/0/3'");
  });

  it('are read with and without chunks', () => {
    const hits = '[["D1",0.5,"c1"],[null,null,null,[["c2",1,"score","r","text"]]]]';
    const chunk = { chunkId: 'c2', score: 1, scoreSource: 'score', repository: 'r' };

    expect(toOutcome({ ...outcome, hits }).hits).toEqual([
      { documentId: 'D1', score: 0.5, chunkId: 'c1' },
      { documentId: null, score: null, chunkId: null, chunks: [{ ...chunk, snippet: 'text' }] },
    ]);
  });
});

const outcome = {
  evaluation_id: 'e',
  configuration: 0,
  question: 3,
  question_id: 'q',
  error_code: null,
  error_detail: null,
  error_request_id: null,
  notes: null,
  trace: null,
  searches: null,
  attempts: 2,
  latency_ms: 1,
  pairs_reranked: 0,
  model_calls: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
};

function catchError(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
