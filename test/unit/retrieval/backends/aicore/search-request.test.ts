import { describe, expect, it } from 'vitest';

import {
  buildSearchRequest,
  countRerankers,
} from '../../../../../src/retrieval/backends/aicore/search-request.ts';
import { makeConfiguration } from './configuration.ts';

const vector = { dataRepositoryType: 'vector', dataRepositories: ['*'], futureField: { a: [1] } };
const anna = { documentMetadata: [{ key: 'company_code', value: ['1000'] }] };
const reranker = { type: 'reranker', model: 'cohere-3.5' };

describe('buildSearchRequest', () => {
  it.each([
    'plain',
    '  blanks around\tand\nbetween ',
    '{{?size}} ```M6``` "quotes" \\ and \u0000 NUL',
    'Pru\u0308fplan, decomposed, and \u{1F6B2}',
  ])('sends the text %j as it came', (question) => {
    const { body } = buildSearchRequest(makeConfiguration(), question, undefined);
    expect(JSON.parse(JSON.stringify(body))).toHaveProperty('query', question);
  });

  it('sends filters and operations as they are configured', () => {
    const filters = [{ ...vector, id: 'notes', documentMetadata: [] }];
    const postProcessing = [
      { id: 'rerank', strategy: reranker, inputs: [{ id: 'notes' }], futureField: 1 },
    ];
    const configuration = makeConfiguration({ filters, postProcessing });
    const { body } = buildSearchRequest(configuration, 'brake', undefined);
    expect(body).toEqual({ query: 'brake', filters, postProcessing });
  });

  it('sends no post-processing where there is none', () => {
    const { body } = buildSearchRequest(makeConfiguration(), 'brake', undefined);
    expect(Object.keys(body)).toEqual(['query', 'filters']);
  });

  it("adds the user's conditions to every filter, joined to a tree where there is one", () => {
    const leaf = { key: 'kind', value: ['note'], scope: 'document' as const };
    const configuration = makeConfiguration({
      filters: [
        { ...vector, id: 'lists', documentMetadata: [{ key: 'kind', value: ['note'] }] },
        { ...vector, id: 'tree', filter: leaf },
      ],
      users: { anna },
    });
    const { body } = buildSearchRequest(configuration, 'brake', 'anna');
    expect(body.filters).toEqual([
      {
        ...vector,
        id: 'lists',
        documentMetadata: [{ key: 'kind', value: ['note'] }, ...anna.documentMetadata],
      },
      {
        ...vector,
        id: 'tree',
        filter: {
          operator: 'and',
          left: leaf,
          right: { key: 'company_code', value: ['1000'], scope: 'document' },
        },
      },
    ]);
  });

  it('refuses a user that the configuration does not know', () => {
    const configuration = makeConfiguration({ users: { anna } });
    expect(() => buildSearchRequest(configuration, 'brake', 'bob')).toThrow(
      expect.objectContaining({ code: 'unknown-user' }),
    );
  });

  it('gives what has no id one that nothing else has', () => {
    const configuration = makeConfiguration({
      filters: [{ ...vector }, { ...vector, id: 'filter-1' }],
      postProcessing: [
        {
          strategy: reranker,
          inputs: [{ strategy: { type: 'scoreReuse' }, inputs: [{ id: 'filter-1' }] }],
        },
      ],
    });
    const { body, sent } = buildSearchRequest(configuration, 'brake', undefined);
    expect(sent).toEqual({ filterIds: ['filter-2', 'filter-1'], operationId: 'operation-1' });
    expect(body.postProcessing).toMatchObject([
      { id: 'operation-1', inputs: [{ id: 'operation-2', inputs: [{ id: 'filter-1' }] }] },
    ]);
  });

  it('reads the ranking off the last root operation', () => {
    const postProcessing = ['first', 'last'].map((id) => ({
      id,
      strategy: reranker,
      inputs: [{ id: 'notes' }],
    }));
    const { sent } = buildSearchRequest(makeConfiguration({ postProcessing }), 'brake', undefined);
    expect(sent.operationId).toBe('last');
  });
});

describe('countRerankers', () => {
  it('counts nested operations and leaves out what asks no model', () => {
    const inner = { strategy: reranker, inputs: [{ id: 'notes' }] };
    const reuse = { strategy: { type: 'scoreReuse' }, inputs: [inner, { id: 'notes' }] };
    const outer = { strategy: reranker, inputs: [reuse] };
    expect(countRerankers([outer])).toBe(2);
  });
});
