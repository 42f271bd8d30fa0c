import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';

import { openBatchQueue } from '../../src/jobs/batch-queue.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { prepareToReset } from './reset-database.ts';
import { startPostgres } from './postgres.ts';
import { query } from './query.ts';
import { postgresTemplate } from './template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the server, without a database name. */
    postgresUrl: string;
    /** A SQLite file with the tables of the service, to be copied. */
    sqliteTemplate: string;
    /** The same as a database in memory, base64. */
    sqliteImage: string;
  }
}

/**
 * Starts one real PostgreSQL for the whole run, whichever projects take part, and migrates one database of each kind.
 * Tests work on copies, because copying a database takes a tenth of the time that migrating an empty one takes.
 */
export default async function setup({
  vitest,
}: TestProject): Promise<(() => Promise<void>) | undefined> {
  // All projects inherit what the root provides.
  const root = vitest.getRootProject();
  if ('postgresUrl' in root.getProvidedContext()) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'grounding-eval-template-'));
  await chmod(folder, 0o755);
  const server = await startPostgres();
  const file = join(folder, 'migrated.db');
  const [image] = await Promise.all([makeSqliteTemplate(file), makePostgresTemplate(server.url)]);
  root.provide('postgresUrl', server.url);
  root.provide('sqliteTemplate', file);
  root.provide('sqliteImage', image);
  return async () => {
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  };
}

async function makeSqliteTemplate(file: string): Promise<string> {
  const db = openDatabase(`sqlite:${file}`);
  await migrate(db);
  // A database in memory cannot have a write-ahead log.
  await sql`pragma journal_mode = delete`.execute(db);
  await db.destroy();
  return (await readFile(file)).toString('base64');
}

async function makePostgresTemplate(url: string): Promise<void> {
  await query(`${url}/postgres`, `create database ${postgresTemplate}`);
  const db = openDatabase(`${url}/${postgresTemplate}`);
  await migrate(db);
  await db.destroy();
  const queue = await openBatchQueue({ url: `${url}/${postgresTemplate}` }, { info, error });
  await queue.close(1000);
  await prepareToReset(`${url}/${postgresTemplate}`);
}

const info = () => undefined;
const error = (details: unknown) => {
  throw new Error('The queue could not be made', { cause: details });
};
