import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { createHitReader } from '../../../../../src/retrieval/backends/http/read-hits.ts';
import { SearchConfigurationInput } from '../../../../../src/schemas/search-configuration.ts';

const guide = readFileSync('docs/search-engines.md', 'utf8');

/** Configurations of the guide by the heading above them. */
const presets = new Map(
  guide.split(/^##+ /m).flatMap((section) => {
    const [, json] = /```json\n([^]*?)```/.exec(section) ?? [];
    const configuration = json && SearchConfigurationInput.parse(JSON.parse(json));
    if (!configuration || configuration.backend !== 'http') return [];
    return [[section.split('\n')[0] ?? '', configuration] as const];
  }),
);

/** Answers in the form that each vendor documents, with texts of our own. */
const answers: Readonly<Record<string, unknown>> = {
  'From Elasticsearch to a scorecard': {
    took: 3,
    timed_out: false,
    hits: {
      total: { value: 2, relation: 'eq' },
      max_score: 1.5,
      hits: [
        { _index: 'documents', _id: 'a', _score: 1.5, _source: { text: 'first' } },
        { _index: 'documents', _id: 'b', _score: 0.5, _source: { text: 'second' } },
      ],
    },
  },
  OpenSearch: {
    hits: {
      hits: [
        { _id: 'a', _score: 1.5 },
        { _id: 'b', _score: 0.5 },
      ],
    },
  },
  'Azure AI Search': {
    '@odata.context': 'https://example.search.windows.net/indexes(documents)/$metadata#docs(*)',
    value: [
      { '@search.score': 1.5, id: 'a', text: 'first' },
      { '@search.score': 0.5, id: 'b', text: 'second' },
    ],
  },
  Vespa: {
    root: {
      id: 'toplevel',
      relevance: 1,
      fields: { totalCount: 2 },
      children: [
        { id: 'id:x:documents::a', relevance: 1.5, fields: { docid: 'a', text: 'first' } },
        { id: 'id:x:documents::b', relevance: 0.5, fields: { docid: 'b', text: 'second' } },
      ],
    },
  },
  Solr: {
    responseHeader: { status: 0, QTime: 2 },
    response: {
      numFound: 2,
      start: 0,
      maxScore: 1.5,
      docs: [
        { id: 'a', text: ['first'], score: 1.5 },
        { id: 'b', text: ['second'], score: 0.5 },
      ],
    },
  },
  Meilisearch: {
    hits: [
      { id: 'a', text: 'first', _rankingScore: 1.5 },
      { id: 'b', text: 'second', _rankingScore: 0.5 },
    ],
    query: 'x',
    limit: 20,
  },
  Typesense: {
    found: 2,
    hits: [
      { document: { id: 'a' }, highlights: [], text_match: 1.5 },
      { document: { id: 'b' }, highlights: [], text_match: 0.5 },
    ],
  },
  Qdrant: {
    result: {
      points: [
        { id: 1, version: 3, score: 1.5, payload: { docId: 'a', text: 'first' } },
        { id: 2, version: 3, score: 0.5, payload: { docId: 'b', text: 'second' } },
      ],
    },
    status: 'ok',
    time: 0.001,
  },
  Weaviate: {
    data: {
      Get: {
        Document: [
          { docId: 'a', text: 'first', _additional: { score: '1.5' } },
          { docId: 'b', text: 'second', _additional: { score: '0.5' } },
        ],
      },
    },
  },
  'A CAP service or HANA': {
    '@odata.context': '$metadata#Hits',
    value: [
      { documentId: 'a', score: 1.5, text: 'first' },
      { documentId: 'b', score: 0.5, text: 'second' },
    ],
  },
};

describe('the presets of docs/search-engines.md', () => {
  it('are all here', () => {
    expect([...presets.keys()]).toEqual(Object.keys(answers));
  });

  it.each(Object.entries(answers))('%s reads what the vendor documents', (name, answer) => {
    const { answer: rule } = presets.get(name)!;
    const hits = createHitReader(rule, 'docs')(answer);

    expect(hits).toMatchObject([
      { documentId: 'a', score: 1.5 },
      { documentId: 'b', score: 0.5 },
    ]);
    expect(hits?.map(({ text }) => text)).toEqual(
      rule.text === undefined ? ['', ''] : ['first', 'second'],
    );
  });

  it.each([
    ['Vespa', { root: { fields: { totalCount: 0 } } }, []],
    ['Vespa', { root: { errors: [{ code: 12 }], children: [] } }, undefined],
    ['Weaviate', { data: { Get: { Document: null } }, errors: [{ message: 'x' }] }, undefined],
    ['Solr', { error: { code: 400 } }, undefined],
  ])('%s tells an empty answer from a failure', (name, answer, expected) => {
    const { answer: rule } = presets.get(name)!;

    expect(createHitReader(rule, 'docs')(answer)).toEqual(expected);
  });
});
