import {
  createConcurrencyLimiter,
  type ConcurrencyLimiter,
} from '../../resilience/concurrency-limiter.ts';
import { systemClock, type Clock } from '../../resilience/clock.ts';
import type { SqlSearchOptions } from '../../sql-sources.ts';
import { createPostgresClient } from './postgres-client.ts';
import type { SqlClient } from './sql-client.ts';

/** The databases as this process uses them: one client and one gate for all that search one of them. */
export interface SqlConnection {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Undefined: no database of that name is open to the tenant. */
  readonly findDatabase: (source: string, tenant: string) => SqlDatabase | undefined;
}

export interface SqlDatabase {
  readonly client: SqlClient;
  readonly gate: ConcurrencyLimiter;
}

const noSources: SqlSearchOptions = {
  sources: new Map(),
  concurrency: 1,
  timeoutMs: 1,
  attempts: 1,
};

export function createSqlConnection(options: SqlSearchOptions = noSources): SqlConnection {
  const { sources, concurrency, timeoutMs, attempts, clock = systemClock } = options;
  const databases = new Map<string, SqlDatabase>();
  return {
    clock,
    timeoutMs,
    attempts,
    findDatabase(name, tenant) {
      const source = sources.get(name);
      if (source?.tenants.some((each) => each === '*' || each === tenant) !== true) {
        return undefined;
      }
      const database = databases.get(name) ?? {
        client: createPostgresClient(source.url, { concurrency, timeoutMs }),
        gate: createConcurrencyLimiter(concurrency, clock),
      };
      databases.set(name, database);
      return database;
    },
  };
}
