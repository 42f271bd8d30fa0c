import { describe, expect, it } from 'vitest';

import type { DocumentIdRule } from '../../../../../src/model/document-id-rule.ts';
import { createDocumentIdReader } from '../../../../../src/retrieval/backends/aicore/document-id-reader.ts';
import {
  type AnswerReading,
  readAnswer,
} from '../../../../../src/retrieval/backends/aicore/read-answer.ts';
import { parseSearchAnswer } from '../../../../../src/retrieval/backends/aicore/search-answer.ts';
import { readShape } from '../../../../helpers/published-shapes.ts';
import {
  chunkKey,
  documentKey,
  processedShapes,
  type Ranked,
  rankedShapes,
} from './published-shapes.ts';

describe('readAnswer on the published shapes', () => {
  it.each(rankedShapes)('ranks retrieval-%s', (file, rule, expected) => {
    expect(listRanking(readFile(file, { rule }))).toEqual(expected);
  });

  it.each(processedShapes)(
    'ranks retrieval-%s by its last root operation',
    (file, operationId, expected) => {
      const reading = readFile(file, { rule: documentKey('docId'), operationId });
      expect(listRanking(reading)).toEqual(expected);
    },
  );

  it.each<[string, Ranked]>([
    ['09-one-filter-failed', [['N-01', 0.7]]],
    ['10-every-filter-failed', []],
  ])('reads what came in spite of failures in retrieval-%s', (file, expected) => {
    expect(listRanking(readFile(file, { rule: chunkKey('docId') }))).toEqual(expected);
  });

  it.each([
    ['09-one-filter-failed', ['help']],
    ['10-every-filter-failed', ['notes', 'archive']],
    ['11-empty-filter-result', []],
  ])('names the filters that failed in retrieval-%s', (file, expected) => {
    const { failures } = readFile(file, { rule: chunkKey('docId') });
    expect(failures.map(({ filterId }) => filterId)).toEqual(expected);
  });

  it("keeps SAP's message about a filter that failed", () => {
    const { failures } = readFile('09-one-filter-failed', { rule: chunkKey('docId') });
    expect(failures[0]?.message).toBe(
      "Filter refused: the key {'url'} cannot be searched here (query 1.0).",
    );
  });

  // All four have an empty ranking, and an empty list is a success. An entry with
  // neither list nor error, and an answer without any entry of what was sent, are failed searches.
  it.each([
    ['11-empty-filter-result', []],
    ['12-empty-results-key-absent', ['notes']],
    ['13-empty-top-level', ['notes']],
    ['14-empty-documents', []],
  ])('reads retrieval-%s as empty, with the failures %j', (file, failed) => {
    const reading = readFile(file, { rule: chunkKey('docId'), filterIds: ['notes'] });
    expect(reading.hits).toEqual([]);
    expect(reading.failures.map(({ filterId }) => filterId)).toEqual(failed);
  });

  it('names a filter that was sent and not answered', () => {
    const filterIds = ['notes', 'archive'];
    const reading = readFile('11-empty-filter-result', { rule: chunkKey('docId'), filterIds });
    expect(reading).toMatchObject({ failures: [], notes: { unanswered: ['archive'] } });
  });

  it('gives two answers by the ids of SAP when documents were indexed again', () => {
    const byId: DocumentIdRule = { from: 'documentId' };
    const before = listRanking(readFile('24a-before-reindex', { rule: byId }));
    const after = listRanking(readFile('24b-after-reindex', { rule: byId }));
    expect(before).not.toEqual(after);
  });

  it('names the keys that were there where no document id could be read', () => {
    const { notes } = readFile('25-metadata-key-missing', { rule: documentKey('docId') });
    expect(notes.unmappedKeys).toEqual([
      'documentMetadata.title',
      'chunkMetadata.index',
      'documentMetadata.docId',
    ]);
  });

  it.each([
    ['26-many-values-and-colliding-keys', chunkKey('docId'), 1],
    ['26-many-values-and-colliding-keys', documentKey('docId'), 1],
    ['18-grouped-not-sorted', documentKey('docId'), 0],
  ])('counts the chunks with several ids in retrieval-%s by %j', (file, rule, expected) => {
    expect(readFile(file, { rule }).notes.severalValues).toBe(expected);
  });

  it.each([
    ['28-ties-and-bad-scores', documentKey('docId'), ['aggregated', 'dense', 'none']],
    ['21-no-scores', documentKey('url'), ['none']],
    ['01-vector-collection', documentKey('url'), ['aggregated']],
  ])('says which scores ordered retrieval-%s', (file, rule, expected) => {
    expect(readFile(file, { rule }).notes.scoreSources).toEqual(expected);
  });

  it.each([
    ['29-unusual-text', documentKey('docId'), ['Pr\u00fcfplan \u00e4.pdf']],
    ['07-framework-store-chunk-metadata-only', chunkKey('source'), ['packing-list.md']],
    ['23-same-chunk-in-two-filters', documentKey('docId'), []],
  ])('names the ids of several documents in retrieval-%s', (file, rule, expected) => {
    expect(readFile(file, { rule }).notes.sharedIds).toEqual(expected);
  });

  it('shows the chunks behind a document, best first', () => {
    const [first] = readFile('06-uploaded-files', { rule: documentKey('name') }).hits;
    expect(
      first?.chunks?.map(({ score, scoreSource, repository }) => [score, scoreSource, repository]),
    ).toEqual([
      [0.5923, 'aggregated', 'uploads-of-m-keller'],
      [0.4511, 'aggregated', 'uploads-of-m-keller'],
    ]);
  });
});

describe('readAnswer', () => {
  it('ranks the same whatever order equal chunks come in', () => {
    const chunks = [makeChunk('B', 0.5), makeChunk(null, 0.5), makeChunk('A', 0.5)];
    const forward = listRanking(readChunks(chunks));
    expect(forward).toEqual([
      ['A', 0.5],
      ['B', 0.5],
      [null, 0.5],
    ]);
    expect(listRanking(readChunks(chunks.toReversed()))).toEqual(forward);
  });

  it('keeps every unmapped chunk at a rank of its own', () => {
    const chunks = [makeChunk(null, 0.9), makeChunk(null, 0.8), makeChunk('A', 0.7)];
    expect(listRanking(readChunks(chunks))).toEqual([
      [null, 0.9],
      [null, 0.8],
      ['A', 0.7],
    ]);
  });

  it('takes the better score of a chunk that two filters found', () => {
    const low = { ...makeChunk('A', 0.2), id: 'same' };
    const high = { ...makeChunk('A', 0.6), id: 'same' };
    const reading = readBody({
      results: [makeEntry('one', [low]), makeEntry('two', [high]), makeEntry('three', [low])],
    });
    expect(reading.hits).toMatchObject([{ documentId: 'A', score: 0.6, chunks: [{ score: 0.6 }] }]);
  });

  it('fails an answer whose filters have chunks that no operation ordered', () => {
    const body = { results: [makeEntry('notes', [makeChunk('A', 0.5)])] };
    const reading = readBody(body, { filterIds: ['notes'], operationId: 'rerank' });
    expect(reading).toMatchObject({ hits: [], failures: [{ filterId: 'rerank' }] });
  });

  it.each<[string, object, readonly (string | null)[]]>([
    ['results that are null', { filterId: 'notes', results: null }, ['notes']],
    [
      'results and error that are null',
      { filterId: 'notes', results: null, error: null },
      ['notes'],
    ],
    ['an error that is empty text', { filterId: 'notes', error: '' }, ['notes']],
    ['an error without a field', { filterId: 'notes', error: {} }, ['notes']],
    ['another filter that found nothing', { filterId: 'other', results: [] }, ['notes']],
    ['no filter', { results: [] }, ['notes']],
    ['an empty list', { filterId: 'notes', results: [] }, []],
  ])('finds what failed in an entry with %s', (_case, entry, failed) => {
    const { failures, hits } = readBody({ results: [entry] }, { filterIds: ['notes'] });
    expect(failures.map(({ filterId }) => filterId)).toEqual(failed);
    expect(hits).toEqual([]);
  });

  it('takes the entry of the operation alone for a whole answer', () => {
    const body = { results: [{ filterId: 'rerank', results: [] }] };
    const reading = readBody(body, { filterIds: ['notes'], operationId: 'rerank' });
    expect(reading).toMatchObject({ hits: [], failures: [] });
  });

  it('fails an operation that has neither results nor an error', () => {
    const body = { results: [makeEntry('notes', []), { filterId: 'rerank' }] };
    const reading = readBody(body, { filterIds: ['notes'], operationId: 'rerank' });
    expect(reading.failures).toMatchObject([{ filterId: 'rerank' }]);
  });

  it('shows at most 300 characters of a chunk', () => {
    const chunk = { ...makeChunk('A', 0.5), content: 'x'.repeat(301) };
    expect(readChunks([chunk]).hits[0]?.chunks?.[0]?.snippet).toBe(`${'x'.repeat(299)}…`);
  });

  it.each([
    ['text', '<html></html>'],
    ['nothing', ''],
    ['null', null],
    ['an object without results', {}],
    ['results that are no list', { results: {} }],
    ['results that are null', { results: null }],
    ['an entry that is null', { results: [null] }],
    ['the results of an entry that are text', { results: [{ filterId: 'a', results: '' }] }],
    ['the results of an entry that are false', { results: [{ filterId: 'a', results: false }] }],
    ['a repository that is null', { results: [{ results: [{ dataRepository: null }] }] }],
    [
      'documents that are null',
      { results: [{ results: [{ dataRepository: { id: 'r', documents: null } }] }] },
    ],
    ['chunks that are null', { results: [makeEntry('a', null as never)] }],
    ["the vector API's shape", { results: [{ results: [{ id: 'r', documents: [] }] }] }],
    ['chunks that are no list', { results: [makeEntry('a', 'chunks' as never)] }],
  ])('takes %s for no answer at all', (_case, body) => {
    expect(parseSearchAnswer(body)).toBeUndefined();
  });
});

function readFile(
  file: string,
  { rule, ...sent }: { rule: DocumentIdRule; filterIds?: string[]; operationId?: string },
): AnswerReading {
  return readBody(readShape(`retrieval-${file}`), sent, rule);
}

function readBody(
  body: unknown,
  { filterIds = [], operationId }: { filterIds?: string[]; operationId?: string } = {},
  rule: DocumentIdRule = chunkKey('docId'),
): AnswerReading {
  const answer = parseSearchAnswer(body);
  return readAnswer(answer!, { filterIds, operationId }, createDocumentIdReader([rule]));
}

function listRanking({ hits }: AnswerReading): Ranked {
  return hits.map(({ documentId, score }) => [documentId, score]);
}

function readChunks(chunks: readonly object[]): AnswerReading {
  return readBody({ results: [makeEntry('notes', chunks)] });
}

function makeEntry(filterId: string, chunks: readonly object[]): object {
  const documents = [{ id: 'document', chunks }];
  return { filterId, results: [{ dataRepository: { id: 'repository', documents } }] };
}

function makeChunk(documentId: string | null, score: number): object {
  return {
    id: `${documentId}-${score}`,
    content: '',
    metadata: documentId === null ? [] : [{ key: 'docId', value: [documentId] }],
    searchScores: { aggregatedScore: { value: score } },
  };
}
