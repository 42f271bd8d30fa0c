import { RetrieverError } from '../../../errors.ts';
import type { SqlConfiguration } from '../../../model/sql-search.ts';
import type { Backend } from '../../backend.ts';
import { findConfigurationIssues } from './configuration-issues.ts';
import { maxRows } from './sql-client.ts';
import type { SqlConnection } from './sql-connection.ts';
import { createSqlRetriever } from './sql-retriever.ts';

export interface SqlTools {
  readonly sql: SqlConnection;
}

/** Searches with one SELECT in a database. */
export const sqlBackend: Backend<SqlConfiguration, SqlTools> = {
  traits: {
    isSearched: true,
    isRemote: true,
    hasScores: true,
    hasLexicon: false,
    needsDocumentId: false,
    modelCallsPerSearch: 0,
  },
  describe: () => ({
    input: null,
    cut: null,
    rerankersPerSearch: 0,
    maxChunksPerSearch: maxRows,
    reach: { documents: undefined, isSetByOperation: false },
    readsHistory: false,
    warnings: [],
    ignoredFilterFields: [],
  }),
  findIssues: findConfigurationIssues,
  async createSearcher(configuration, { sql, tenant }) {
    const { source } = configuration;
    const database = sql.findDatabase(source, tenant);
    if (database) return { retriever: createSqlRetriever(configuration, database, sql) };
    const message = `Database '${source}' is not one that may be searched. The operator of this service lists databases in SQL_SEARCH_SOURCES`;
    const retrieve = () => Promise.reject(new RetrieverError('retriever-failed', message));
    return { retriever: { retrieve } };
  },
};
