import { describe, expect, it } from 'vitest';

import { type AnswerChunk, searchAnswer } from 'grounding-eval-testing';
import { listKeyPaths, readRanking } from '../../helpers/grounding.ts';
import { readShape } from '../../helpers/published-shapes.ts';

const chunks: readonly AnswerChunk[] = [
  { documentId: 'N-01', score: 0.4, text: 'one' },
  { documentId: 'N-02', score: 0.7, text: 'two' },
  { documentId: 'N-01', score: 0.9, text: 'three' },
  { documentId: 'N-03', score: 0.5, text: 'four' },
];

describe('searchAnswer', () => {
  it('has an entry for each filter', () => {
    const answer = searchAnswer({ notes: chunks, help: [], archive: { error: 'No detail.' } });
    expect(answer.results).toEqual([
      { filterId: 'notes', results: expect.any(Array) },
      { filterId: 'help', results: [] },
      { filterId: 'archive', error: { message: 'No detail.' } },
    ]);
  });

  it('groups by document, the chunks of each best first', () => {
    const documents = listDocuments(searchAnswer({ notes: chunks }));
    const texts = documents.map(({ chunks: ofDocument }) => ofDocument.map((c) => c.content));
    expect(texts).toHaveLength(3);
    expect(texts).toEqual(expect.arrayContaining([['four'], ['three', 'one'], ['two']]));
  });

  it('has the best document never first, whatever order the chunks come in', () => {
    const documents = listDocuments(searchAnswer({ notes: chunks }));
    expect(documents[0]?.metadata).not.toEqual([
      { key: 'docId', value: ['N-01'], matchMode: 'ANY' },
    ]);
    expect(listIds(searchAnswer({ notes: chunks.toReversed() }))).toEqual(
      listIds(searchAnswer({ notes: chunks })),
    );
  });

  it('keeps the repositories apart, that of the best chunk never first', () => {
    const answer = searchAnswer({
      notes: [
        { documentId: 'N-01', score: 0.9, repository: 'rules' },
        { documentId: 'N-01', score: 0.5, repository: 'notes' },
      ],
    });
    const titles = answer.results[0]?.results?.map(({ dataRepository }) => dataRepository.title);
    expect(titles).toEqual(['notes', 'rules']);
    expect(new Set(listIds(answer)).size).toBe(2);
  });

  it('ranks by the score that a re-ranker gave', () => {
    const answer = searchAnswer({
      rerank: [
        { documentId: 'N-01', score: 0.9, postProcessingScore: 0.2 },
        { documentId: 'N-02', score: 0.1, postProcessingScore: 0.8 },
      ],
    });
    expect(readRanking(answer, 'rerank')).toEqual([
      ['N-02', 0.8],
      ['N-01', 0.2],
    ]);
  });

  it.each([null, undefined])('has no score where the score is %s', (score) => {
    const chunk = score === undefined ? { documentId: 'N' } : { documentId: 'N', score };
    const [document] = listDocuments(searchAnswer({ notes: [chunk] }));
    expect(document?.chunks[0]).not.toHaveProperty('searchScores');
  });

  it('keeps chunks that name no document in documents of their own', () => {
    const unnamed = { documentId: null, score: 0.5 };
    const documents = listDocuments(searchAnswer({ notes: [unnamed, unnamed] }));
    expect(documents.map(({ metadata }) => metadata)).toEqual([[], []]);
    expect(new Set(documents.map(({ id }) => id)).size).toBe(2);
  });

  it('takes ids, metadata and the key of the document as they are given', () => {
    const answer = searchAnswer(
      {
        notes: [
          {
            documentId: 'N',
            chunkId: 'C',
            metadata: { page: ['7'] },
            documentMetadata: { region: ['north'] },
          },
        ],
      },
      { documentIdKey: 'url' },
    );
    const [document] = listDocuments(answer);
    expect(document?.metadata).toEqual([
      { key: 'url', value: ['N'], matchMode: 'ANY' },
      { key: 'region', value: ['north'], matchMode: 'ANY' },
    ]);
    expect(document?.chunks[0]).toMatchObject({
      id: 'C',
      metadata: [
        { key: 'url', value: ['N'] },
        { key: 'index', value: ['0'] },
        { key: 'page', value: ['7'] },
      ],
    });
  });

  it('gives a chunk the same id in the entry of a filter and in that of an operation', () => {
    const answer = searchAnswer({ notes: chunks, rerank: chunks.slice(1, 2) });
    const [ofFilter, ofOperation] = answer.results.map((entry) => listIds({ results: [entry] }));
    expect(ofFilter).toEqual(expect.arrayContaining([...(ofOperation ?? [])]));
  });
});

describe('searchAnswer has the shape of', () => {
  it.each([
    [
      'retrieval-01-vector-collection',
      { handbook: chunks.map((chunk) => ({ ...chunk, documentMetadata: { purpose: ['demo'] } })) },
    ],
    [
      'retrieval-15-reranker',
      {
        'filter-1': chunks,
        'rerank-all': [{ documentId: null, postProcessingScore: 0.9 }],
      },
    ],
    ['retrieval-09-one-filter-failed', { notes: chunks, help: { error: 'No detail.' } }],
    ['retrieval-11-empty-filter-result', { notes: [] }],
    ['retrieval-21-no-scores', { string: [{ documentId: 'N' }] }],
  ])('%s', (file, entries) => {
    // The builder's repositories have no metadata, which is an empty list there.
    const ofRepository = /dataRepository\.metadata/;
    const expected = listKeyPaths(readShape(file));
    const paths = expected.filter((path) => !ofRepository.test(path));
    expect(listKeyPaths(searchAnswer(entries))).toEqual(paths);
  });
});

type Answer = ReturnType<typeof searchAnswer>;
type Repository = NonNullable<Answer['results'][number]['results']>[number]['dataRepository'];

function listDocuments({ results }: Answer): Repository['documents'] {
  return results.flatMap((entry) =>
    (entry.results ?? []).flatMap(({ dataRepository }) => dataRepository.documents),
  );
}

function listIds(answer: Answer): readonly string[] {
  return listDocuments(answer).flatMap((document) => document.chunks.map(({ id }) => id));
}
