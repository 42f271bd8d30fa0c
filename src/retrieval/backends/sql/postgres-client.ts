import pg from 'pg';

import { answerBytes } from '../../outgoing-limits.ts';
import { SearchFailure } from '../../search-failure.ts';
import { maxRows, type SqlClient, type SqlQuery, type SqlRows } from './sql-client.ts';

const rowsPerFetch = 500;
const idleMs = 10_000;

/** A PostgreSQL. Connections that are not used are closed after a while. */
export function createPostgresClient(
  url: string,
  { concurrency, timeoutMs }: { readonly concurrency: number; readonly timeoutMs: number },
): SqlClient {
  const pool = new pg.Pool({
    connectionString: url,
    max: concurrency,
    connectionTimeoutMillis: timeoutMs,
    idleTimeoutMillis: idleMs,
    allowExitOnIdle: true,
    application_name: 'grounding-eval',
  });
  // A connection that breaks while it is idle is replaced when the next statement needs one, and one that breaks under a
  // statement fails it.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return {
    async select(query, limits) {
      const client = await pool.connect();
      let isBroken = false;
      // Closes the connection under the statement, which fails.
      const abort = () => {
        isBroken = true;
        client.connection.stream.destroy();
      };
      limits.signal.addEventListener('abort', abort);
      try {
        limits.signal.throwIfAborted();
        return await readInTransaction(client, query, limits.timeoutMs);
      } catch (error) {
        isBroken ||= !(error instanceof pg.DatabaseError || error instanceof SearchFailure);
        throw error;
      } finally {
        limits.signal.removeEventListener('abort', abort);
        client.release(isBroken);
      }
    },
  };
}

function ignore(): void {}

async function readInTransaction(
  client: pg.PoolClient,
  query: SqlQuery,
  timeoutMs: number,
): Promise<SqlRows> {
  await client.query(
    `begin transaction read only; set local statement_timeout = ${timeoutMs}; set local standard_conforming_strings = on`,
  );
  try {
    return await fetchRows(client, query);
  } finally {
    await client.query('rollback');
  }
}

/** A cursor takes nothing but a SELECT, and hands out rows that can be counted before they are all here. */
async function fetchRows(client: pg.PoolClient, { text, values }: SqlQuery): Promise<SqlRows> {
  await client.query(`declare found no scroll cursor for ${text}`, [...values]);
  const rows: unknown[][] = [];
  let bytes = 0;
  for (;;) {
    const fetched = await client.query<unknown[]>({
      text: `fetch forward ${rowsPerFetch} from found`,
      rowMode: 'array',
    });
    rows.push(...fetched.rows);
    bytes += JSON.stringify(fetched.rows).length;
    if (rows.length > maxRows || bytes > answerBytes.search) {
      const limit = `${maxRows} rows or ${answerBytes.search} bytes`;
      throw new SearchFailure('answer', `The statement found more than ${limit}: limit it`);
    }
    if (fetched.rows.length < rowsPerFetch) {
      return { columns: fetched.fields.map(({ name }) => name), rows };
    }
  }
}
