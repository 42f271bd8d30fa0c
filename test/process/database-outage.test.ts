import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase, type Database } from '../../src/storage/database/database.ts';
import { isTransientError } from '../../src/storage/database/transient-errors.ts';
import { startService } from '../helpers/app.ts';
import { send } from '../helpers/client.ts';
import { createDatabase } from '../helpers/databases.ts';
import { startPostgres } from '../helpers/postgres.ts';

const questions = [{ id: 'q1', text: 'one', relevant: { D1: 1 } }];
const unavailable = { type: 'urn:problem:grounding-eval:unavailable', status: 503 };

it('reads and writes get 503 with Retry-After while PostgreSQL is stopped', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const { app, close } = await startService({ databaseUrl: `${postgres.url}/postgres` });
  await postgres.stop();
  const read = await app.inject('/v1/question-sets');
  const write = await send(app, 'PUT', '/v1/question-sets/a', { body: { questions } });
  const ready = await app.inject('/health/ready');
  await postgres.start();
  const again = await send(app, 'PUT', '/v1/question-sets/a', { body: { questions } });
  await close();

  for (const refused of [read, write]) {
    expect(refused.json()).toMatchObject(unavailable);
    expect(refused.headers['retry-after']).toBe('5');
  }
  expect(ready.statusCode).toBe(503);
  expect(again.statusCode).toBe(201);
}, 60_000);

it('a request gets 503 with Retry-After when no connection becomes free', async () => {
  const { app, db, close } = await startService({ databaseUrl: await createDatabase('postgres') });
  onTestFinished(close);
  const free = Promise.withResolvers<void>();
  const taken = await holdConnections(db, free.promise);
  const refused = await app.inject('/v1/question-sets');
  free.resolve();
  await taken.end;
  const answered = await app.inject('/v1/question-sets');

  expect(refused.json()).toMatchObject(unavailable);
  expect(refused.headers['retry-after']).toBe('5');
  expect(answered.statusCode).toBe(200);
}, 40_000);

it('PostgreSQL cancels a statement at its deadline, and the connection is used again', async () => {
  const db = openDatabase(await createDatabase('postgres'), { deadlineMs: 300, poolSize: 1 });
  onTestFinished(() => db.destroy());
  const slow = await sql`select pg_sleep(20)`.execute(db).catch((error: unknown) => error);
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);

  expect(slow).toMatchObject({ code: '57014' });
  expect(isTransientError(slow)).toBe(true);
  expect(rows).toEqual([{ one: 1 }]);
});

it('a connection on which nothing comes any more is cut, and another one is used', async () => {
  const proxy = await startProxy(new URL(await createDatabase('postgres')));
  const db = openDatabase(proxy.url, { deadlineMs: 400, poolSize: 1 });
  onTestFinished(() => db.destroy());
  await sql`select 1`.execute(db);
  proxy.silence();
  const lost = await sql`select 1`.execute(db).catch((error: unknown) => error);
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(db);

  expect(lost).toBeInstanceOf(Error);
  expect(isTransientError(lost)).toBe(true);
  expect(rows).toEqual([{ one: 1 }]);
});

it('is not ready while the file of SQLite is malformed', async () => {
  const databaseUrl = await createDatabase('sqlite');
  const { app, db, close } = await startService({ databaseUrl });
  onTestFinished(close);
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
  overwriteFile(databaseUrl);
  const ready = await app.inject('/health/ready');

  expect(ready.statusCode).toBe(503);
  expect(ready.json()).toMatchObject({
    status: 'unavailable',
    store: 'unavailable',
    reasons: ['The database file is malformed: restore a backup'],
  });
});

it('is not ready as soon as a query finds the file malformed', async () => {
  const databaseUrl = await createDatabase('sqlite');
  const { app, db, close } = await startService({ databaseUrl });
  onTestFinished(close);
  const before = await app.inject('/health/ready');
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
  overwriteFile(databaseUrl);
  await sql`pragma shrink_memory`.execute(db);
  const failed = await app.inject('/v1/question-sets');
  const ready = await app.inject('/health/ready');

  expect(before.statusCode).toBe(200);
  expect(failed.statusCode).toBe(500);
  expect(ready.statusCode).toBe(503);
});

async function holdConnections(db: Database, until: Promise<void>) {
  const held = Array.from({ length: 10 }, () => Promise.withResolvers<void>());
  const ends = held.map(({ resolve }) =>
    db.connection().execute(async () => {
      resolve();
      await until;
    }),
  );
  await Promise.all(held.map(({ promise }) => promise));
  return { end: Promise.all(ends) };
}

/** Overwrites all pages but the first, which holds the schema. */
function overwriteFile(databaseUrl: string): void {
  const path = databaseUrl.replace('sqlite:', '');
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - 4096, 0xa5), 0, undefined, 4096);
  closeSync(file);
}

/** Passes everything on to a server until it falls silent for the connections that it has. */
async function startProxy({ hostname, port, pathname, username, password }: URL) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const own = (server.address() as AddressInfo).port;
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`,
    silence() {
      for (const socket of open) socket.unpipe().pause();
    },
  };
}
