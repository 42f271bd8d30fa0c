import { RetrieverError } from '../../../errors.ts';
import type { HttpConfiguration } from '../../../model/http-search.ts';
import type { Backend } from '../../backend.ts';
import { findConfigurationIssues } from './configuration-issues.ts';
import { inserts } from './fill-template.ts';
import { findEndpoint } from '../../http-endpoints.ts';
import type { HttpConnection } from './http-connection.ts';
import { createHttpRetriever } from './http-retriever.ts';

export interface HttpTools {
  readonly http: HttpConnection;
}

/** Searches with any service that answers in JSON over HTTP. */
export const httpBackend: Backend<HttpConfiguration, HttpTools> = {
  traits: {
    isSearched: true,
    isRemote: true,
    hasScores: true,
    hasLexicon: false,
    needsDocumentId: false,
    modelCallsPerSearch: 0,
  },
  describe: ({ depth, pageSize, body, query }) => ({
    input: null,
    cut: null,
    rerankersPerSearch: 0,
    maxChunksPerSearch: pageSize ?? depth,
    reach: { documents: undefined, isSetByOperation: false },
    readsHistory: inserts(body, 'history') || inserts(query, 'history'),
    warnings: [],
    ignoredFilterFields: [],
  }),
  findIssues: findConfigurationIssues,
  async createSearcher(configuration, { http, tenant }) {
    const { endpoint: name } = configuration;
    const endpoint = findEndpoint(http.endpoints, name, tenant);
    if (endpoint) return { retriever: createHttpRetriever(configuration, endpoint, http) };
    const message = `Endpoint '${name}' is not one that may be searched. The operator of this service lists endpoints in HTTP_SEARCH_ENDPOINTS`;
    const retrieve = () => Promise.reject(new RetrieverError('retriever-failed', message));
    return { retriever: { retrieve } };
  },
};
