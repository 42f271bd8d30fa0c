import pg from 'pg';

/** Runs one statement on a PostgreSQL server. */
export async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}
