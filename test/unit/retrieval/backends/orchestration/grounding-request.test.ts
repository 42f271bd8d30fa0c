import { describe, expect, it } from 'vitest';

import { buildGroundingRequest } from '../../../../../src/retrieval/backends/orchestration/grounding-request.ts';
import { readShape } from '../../../../helpers/published-shapes.ts';
import { makeConfiguration } from './configuration.ts';

describe('buildGroundingRequest', () => {
  it('asks as the published request does', () => {
    const published = readShape<{
      config: { modules: { grounding: object; prompt_templating: { model: object } } };
      placeholder_values: { question: string };
    }>('request-orchestration-v2');
    const configuration = makeConfiguration({
      filters: [
        {
          id: 'notes',
          dataRepositories: ['*'],
          searchConfiguration: { maxChunkCount: 20 },
          dataRepositoryType: 'vector',
          dataRepositoryMetadata: [],
          documentMetadata: [
            { key: 'company_code', value: ['1000'], selectMode: ['ignoreIfKeyAbsent'] },
          ],
          chunkMetadata: [],
        },
      ],
      documentId: [
        { from: 'chunkMetadata', key: 'docId' },
        { from: 'documentMetadata', key: 'title' },
      ],
    });
    const { question } = published.placeholder_values;
    const { modules, values } = buildGroundingRequest(configuration, question, undefined);
    expect(modules.grounding).toEqual(published.config.modules.grounding);
    expect(values).toEqual(published.placeholder_values);
    const { name, params } = modules.promptTemplating.model;
    expect(published.config.modules.prompt_templating.model).toMatchObject({ name, params });
  });

  it("joins the user's conditions to every filter", () => {
    const company = { key: 'company_code', value: ['1000'] };
    const { modules } = buildGroundingRequest(
      makeConfiguration({
        filters: [
          { id: 'a', documentMetadata: [{ key: 'plant', value: ['P1'] }] },
          { id: 'b', chunkMetadata: [{ key: 'page', value: ['1'] }] },
        ],
        users: { anna: { documentMetadata: [company] } },
      }),
      'q',
      'anna',
    );
    expect(modules.grounding?.config.filters).toEqual([
      {
        id: 'a',
        data_repository_type: 'vector',
        document_metadata: [{ key: 'plant', value: ['P1'] }, company],
      },
      {
        id: 'b',
        data_repository_type: 'vector',
        document_metadata: [company],
        chunk_metadata: [{ key: 'page', value: ['1'] }],
      },
    ]);
  });

  it('sends no filters where there are none, and one for a user', () => {
    const configuration = makeConfiguration({
      filters: [],
      users: { anna: { documentMetadata: [{ key: 'plant', value: ['P1'] }] } },
    });
    const listFilters = (user?: string) =>
      buildGroundingRequest(configuration, 'q', user).modules.grounding?.config.filters;
    expect(listFilters()).toBeUndefined();
    expect(listFilters('anna')).toEqual([
      { data_repository_type: 'vector', document_metadata: [{ key: 'plant', value: ['P1'] }] },
    ]);
  });

  it.each([
    ['a user nobody knows', 'bob'],
    ['the name of a prototype', 'constructor'],
  ])('refuses %s', (_case, user) => {
    expect(() => buildGroundingRequest(makeConfiguration(), 'q', user)).toThrow(
      'does not define user',
    );
  });

  it('asks for no metadata where help.sap.com is searched', () => {
    const filters = [{ dataRepositoryType: 'vector' }, { dataRepositoryType: 'help.sap.com' }];
    const { modules } = buildGroundingRequest(makeConfiguration({ filters }), 'q', undefined);
    expect(modules.grounding?.config).not.toHaveProperty('metadata_params');
    expect(modules.grounding?.config.filters).toMatchObject([
      { data_repository_type: 'vector' },
      { data_repository_type: 'help.sap.com' },
    ]);
  });

  it('asks for each key once, and for one token', () => {
    const { modules } = buildGroundingRequest(
      makeConfiguration({
        documentId: [
          { from: 'documentMetadata', key: 'title', pattern: '(.*)' },
          { from: 'chunkMetadata', key: 'title' },
          { from: 'chunkMetadata', key: 'source' },
        ],
      }),
      'q',
      undefined,
    );
    expect(modules.grounding?.config.metadata_params).toEqual(['title', 'source']);
    expect(modules.promptTemplating.model.params).toEqual({ max_tokens: 1 });
  });

  it('leaves counts out that are null', () => {
    const filters = [
      { searchConfiguration: { maxChunkCount: null, maxDocumentCount: 4 } },
      { searchConfiguration: { maxChunkCount: null } },
    ];
    const { modules } = buildGroundingRequest(makeConfiguration({ filters }), 'q', undefined);
    expect(modules.grounding?.config.filters).toEqual([
      { data_repository_type: 'vector', search_config: { max_document_count: 4 } },
      { data_repository_type: 'vector' },
    ]);
  });

  it('never lets the question into the template', () => {
    const question = 'What is {{?size}} ```?\n';
    const { modules, values } = buildGroundingRequest(makeConfiguration(), question, undefined);
    expect(values).toEqual({ question });
    expect(JSON.stringify(modules)).not.toContain('size');
  });
});
