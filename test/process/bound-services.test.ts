import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createAuthority } from '../helpers/certificates.ts';
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts';
import { runServer, startServer } from '../helpers/server-process.ts';
import { readShape } from '../helpers/published-shapes.ts';

type Services = Record<string, { readonly credentials: Record<string, unknown> }[]>;

const authority = createAuthority('database authority');
let postgres: PostgresServer;

/** The service as a process on Cloud Foundry: everything bound, and a PostgreSQL that takes TLS alone. */
describe('the service with bound services', () => {
  beforeAll(async () => {
    postgres = await startPostgres(authority.certify('localhost'));
  });
  afterAll(() => postgres.remove());

  it('keeps what it stores in the bound PostgreSQL, over TLS on every connection', async () => {
    const server = await startServer(bind({ sslrootcert: authority.certificate }));
    const ready = await fetch(`${server.url}/health/ready`);
    const set = await fetch(`${server.url}/v1/question-sets/sample`);
    const connections = await listConnections();

    expect(await ready.json()).toMatchObject({ status: 'ok', store: 'ok', aiCore: 'configured' });
    expect(set.status).toBe(200);
    expect(connections.length).toBeGreaterThan(1);
    expect(connections.every(({ ssl }) => ssl)).toBe(true);
  });

  it.each([
    ['an authority that did not sign it', 'localhost', createAuthority('another').certificate],
    ['no authority of its own', 'localhost', undefined],
    ['its authority, for another host name', '127.0.0.1', authority.certificate],
  ])('refuses a database that is bound with %s, and says so', async (_case, hostname, ca) => {
    const child = runServer(bind({ hostname, sslrootcert: ca }));
    const [message, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);

    expect(code).toBe(1);
    expect(message).toMatch(/certificate|altnames/i);
  });
});

function bind(database: Record<string, unknown>): Record<string, string> {
  const services = readShape<Services>('vcap-services');
  const { port } = new URL(postgres.url);
  const credentials = {
    hostname: 'localhost',
    port,
    dbname: 'postgres',
    username: 'postgres',
    password: 'postgres',
    ...database,
  };
  const bound = { ...services, 'postgresql-db': [{ credentials }] };
  return { VCAP_SERVICES: JSON.stringify(bound), AUTH_MODE: 'none' };
}

async function listConnections(): Promise<readonly { readonly ssl: boolean }[]> {
  const client = new pg.Client({
    connectionString: `${postgres.url.replace('127.0.0.1', 'localhost')}/postgres`,
    ssl: { ca: authority.certificate },
  });
  await client.connect();
  const { rows } = await client.query<{ ssl: boolean }>(
    'select ssl from pg_stat_ssl natural join pg_stat_activity where pid <> pg_backend_pid() and client_port is not null',
  );
  await client.end();
  return rows;
}
