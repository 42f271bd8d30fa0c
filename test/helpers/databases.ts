import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { inject, onTestFinished } from 'vitest';

import { resetDatabase } from './reset-database.ts';
import { postgresTemplate } from './template.ts';
import { query } from './query.ts';

/** The databases that the service runs on. Tests of storage run on each. */
export const databaseKinds = ['sqlite', 'postgres'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

let made = 0;

type CleanUp = (work: () => Promise<void>) => void;

/**
 * The URL of a database with the tables of the service and nothing in them. It outlives a service, and is removed or
 * set back when the test ends unless told otherwise.
 */
export async function createDatabase(
  kind: DatabaseKind,
  atEnd: CleanUp = onTestFinished,
): Promise<string> {
  if (kind === 'postgres') return borrowPostgresDatabase(atEnd);
  const path = await findSqlitePath(atEnd);
  await copyFile(inject('sqliteTemplate'), path);
  return `sqlite:${path}`;
}

/** As `createDatabase`, without a table. */
export async function createEmptyDatabase(kind: DatabaseKind): Promise<string> {
  if (kind === 'postgres') {
    const url = await addPostgresDatabase();
    onTestFinished(() => dropPostgresDatabase(url));
    return url;
  }
  return `sqlite:${await findSqlitePath(onTestFinished)}`;
}

async function findSqlitePath(atEnd: CleanUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'grounding-eval-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'test.db');
}

/** Databases of this worker that were set back. To set one back takes a tenth of the time that a copy takes. */
const free: string[] = [];

async function borrowPostgresDatabase(atEnd: CleanUp): Promise<string> {
  const url = free.pop() ?? (await addPostgresDatabase(`template ${postgresTemplate}`));
  atEnd(async () => {
    if (await resetDatabase(url)) free.push(url);
    else await dropPostgresDatabase(url);
  });
  return url;
}

async function addPostgresDatabase(template = ''): Promise<string> {
  const server = inject('postgresUrl');
  made += 1;
  const name = `test_${process.pid}_${made}_${Math.trunc(performance.now())}`;
  await query(`${server}/postgres`, `create database ${name} ${template}`);
  return `${server}/${name}`;
}

async function dropPostgresDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await query(`${inject('postgresUrl')}/postgres`, `drop database ${name} with (force)`);
}
