import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';

/** PostgreSQL cancels a statement after so long. The steps of the largest imports take a few seconds. */
export const defaultDeadlineMs = 60_000;

export interface PostgresOptions {
  /** Connections at most; default: 10. */
  readonly poolSize?: number | undefined;
  /** For each statement, waiting for locks included; 0: none, for migrations. Default: 60 s. */
  readonly deadlineMs?: number | undefined;
}

/** Opens connections for Kysely as they are needed. Not getting one within 10 s is an error. */
export function openPostgres(
  connection: pg.PoolConfig,
  { poolSize = 10, deadlineMs = defaultDeadlineMs }: PostgresOptions,
): PostgresPool {
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    // An instance that stands still in a transaction would hold its locks, and with them all the others.
    idle_in_transaction_session_timeout: 10_000,
    statement_timeout: deadlineMs,
  });
  // Connections that break are replaced by the pool, and the waiting query gets the error. Those
  // that break while idle, or between two statements of a transaction, would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Later than the server, so that a connection is cut only if the server does not answer at all.
  return deadlineMs === 0 ? pool : cutSilentConnections(pool, deadlineMs * 1.25);
}

/**
 * Ends a connection whose query gets no answer in time: the server or the network is gone without a word. pg's own
 * `query_timeout` gives the connection back to the pool with the query still running on it.
 */
function cutSilentConnections(pool: pg.Pool, afterMs: number): PostgresPool {
  // Kysely knows a connection again by its object.
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const limited = known.get(client) ?? limitQueries(client, afterMs);
      known.set(client, limited);
      return limited;
    },
  };
}

function limitQueries(client: pg.PoolClient, afterMs: number): PostgresPoolClient {
  const query = async (sql: string, parameters: readonly unknown[]) => {
    // The query then fails with "Connection terminated", and the pool drops the connection.
    const timer = setTimeout(() => void end(client), afterMs);
    try {
      return await client.query(sql, [...parameters]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    // The pool gives a client another one each time.
    release: (destroy) => client.release(destroy),
  };
}

/** Clients of a pool are clients, which its types hide. */
function end(client: pg.PoolClient): Promise<void> {
  return (client as unknown as pg.Client).end();
}
