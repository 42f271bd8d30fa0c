import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

/** The databases that the service runs on. Tests of storage run on each. */
export const databaseKinds = ['sqlite', 'postgres'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

let made = 0;

type CleanUp = (work: () => Promise<void>) => void;

/** The URL of an empty database that outlives a service, removed when the test ends unless told otherwise. */
export async function createDatabase(
  kind: DatabaseKind,
  atEnd: CleanUp = onTestFinished,
): Promise<string> {
  return kind === 'sqlite' ? createSqliteFile(atEnd) : createPostgresDatabase(atEnd);
}

async function createSqliteFile(atEnd: CleanUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'grounding-eval-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'test.db')}`;
}

async function createPostgresDatabase(atEnd: CleanUp): Promise<string> {
  const server = inject('postgresUrl');
  made += 1;
  const name = `test_${process.pid}_${made}_${Math.trunc(performance.now())}`;
  await query(`${server}/postgres`, `create database ${name}`);
  atEnd(() => query(`${server}/postgres`, `drop database ${name} with (force)`));
  return `${server}/${name}`;
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}
