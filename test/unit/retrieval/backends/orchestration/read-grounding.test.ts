import { describe, expect, it } from 'vitest';

import { rankDocuments } from '../../../../../src/retrieval/ai-core/rank-documents.ts';
import {
  createGroundedIdReader,
  readGrounding,
} from '../../../../../src/retrieval/backends/orchestration/read-grounding.ts';
import type { DocumentIdRule } from '../../../../../src/model/document-id-rule.ts';
import { readShape } from '../../../../helpers/published-shapes.ts';

const docId: DocumentIdRule = { from: 'chunkMetadata', key: 'docId' };
const title = 'title';

describe('readGrounding on the published shapes', () => {
  it.each<[string, DocumentIdRule, (string | null)[]]>([
    ['v1-with-metadata', docId, ['N-41', 'N-42']],
    ['v2-with-metadata', docId, ['N-41', 'N-42']],
    ['v2-with-metadata-nested', docId, ['N-41', 'N-42']],
    ['v2-with-metadata', { from: 'chunkMetadata', key: title }, ['Brakes', 'Chains']],
    ['v2-with-metadata', { from: 'documentMetadata', key: title }, ['Workshop handbook']],
    ['v2-with-metadata', { from: 'documentMetadata', key: 'docId' }, ['N-41', 'N-42']],
    ['v2-with-metadata', { from: 'chunkMetadata', key: 'gone' }, [null, null, null]],
    ['v1-plain-text', docId, [null, null]],
    ['v2-plain-text', docId, [null, null]],
    ['v2-empty-grounding', docId, []],
  ])('ranks orchestration-%s by %o', (file, rule, expected) => {
    const body = readShape(`orchestration-${file}`);
    expect(read(body, rule)?.map(({ documentId }) => documentId)).toEqual(expected);
  });

  it('keeps the texts of both forms', () => {
    const texts = ['v2-with-metadata', 'v2-plain-text'].map((file) =>
      read(readShape(`orchestration-${file}`), docId)
        ?.flatMap(({ chunks }) => chunks ?? [])
        .map(({ snippet }) => snippet.slice(0, 15)),
    );
    expect(texts).toEqual([
      ['Dase beku dasi ', 'Bire beku boge ', 'Beba dato bifu '],
      ['Dase beku dasi ', 'Beba dato bifu '],
    ]);
  });

  it.each(['v1-error', 'v2-error-grounding-filter', 'v2-error-unused-parameters'])(
    'takes orchestration-%s for no answer',
    (file) => {
      expect(read(readShape(`orchestration-${file}`), docId)).toBeUndefined();
    },
  );
});

describe('readGrounding', () => {
  it.each<[string, unknown, (string | null)[]]>([
    ['a list in its text', '[{"content":"a","metadata":{"docId":["A"]}}]', ['A']],
    ['a list that is no text', [{ content: 'a', metadata: { docId: ['A'] } }], ['A']],
    ['a value that stands alone', [{ content: 'a', metadata: { docId: 'A' } }], ['A']],
    ['a number for a value', [{ content: 'a', metadata: { docId: [7] } }], ['7']],
    [
      'several lists',
      [[{ metadata: { docId: ['B'] } }], [{ metadata: { docId: ['A'] } }]],
      ['B', 'A'],
    ],
    [
      'a chunk without metadata',
      [{ content: 'a' }, { content: 'b', metadata: null }],
      [null, null],
    ],
    ['a list of nothing', '[[]]', []],
    ['no text', '', []],
    ['a text that is JSON of another kind', '{"pressure": 2}', [null]],
    ['a text that begins like a list', '[1] See the manual.```[2] See above.', [null, null]],
    ['a list of numbers, which is a text', '[1, 2]', [null]],
  ])('reads %s', (_case, result, expected) => {
    const ranking = read(answerWith(result), docId);
    expect(ranking?.map(({ documentId }) => documentId)).toEqual(expected);
  });

  it.each([
    ['no grounding', { intermediate_results: { llm: {} }, final_result: {} }],
    ['a result that is no list', answerWith({ chunks: [] })],
    ['a result that is null', answerWith(null)],
    ['a text that is the JSON null', answerWith('null')],
    ['a number', answerWith(0)],
    ['false', answerWith(false)],
    ['a list of nulls', answerWith([null])],
    ['no result', { intermediate_results: { grounding: { data: {} } } }],
    ['a web page', '<html></html>'],
  ])('takes %s for no answer', (_case, body) => {
    expect(read(body, docId)).toBeUndefined();
  });

  it('tells a blank id and a prototype name from ids', () => {
    const chunks = [{ content: 'a', metadata: { docId: [' '] } }];
    expect(read(answerWith(chunks), docId)).toMatchObject([{ documentId: null }]);
    expect(read(answerWith(chunks), { from: 'chunkMetadata', key: 'constructor' })).toMatchObject([
      { documentId: null },
    ]);
  });
});

function read(body: unknown, rule: DocumentIdRule) {
  const chunks = readGrounding(body, createGroundedIdReader([rule]));
  return chunks && rankDocuments(chunks);
}

function answerWith(result: unknown) {
  return { intermediate_results: { grounding: { data: { grounding_result: result } } } };
}
