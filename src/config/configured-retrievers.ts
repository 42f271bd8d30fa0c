import { createSearchSources } from '../evaluation/catalog/search-sources.ts';
import { createRetrieverRegistry, type RetrieverRegistry } from '../retrieval/registry.ts';
import type { Database } from '../storage/database/database.ts';
import type { Config } from './config.ts';

/** What searches, as the environment says. */
export function createConfiguredRetrievers(config: Config, db: Database): RetrieverRegistry {
  const aiCore = {
    serviceKey: config.aiCoreServiceKey,
    concurrency: config.searchConcurrency,
    timeoutMs: config.searchTimeoutMs,
    attempts: config.searchAttempts,
  };
  const { crossEncoderRoot } = config;
  const http = { ...aiCore, endpoints: config.httpEndpoints };
  const sql = { ...aiCore, sources: config.sqlSources };
  return createRetrieverRegistry(createSearchSources(db), aiCore, { crossEncoderRoot, http, sql });
}
