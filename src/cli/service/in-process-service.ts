import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';

import type { InjectOptions } from 'fastify';
import pino from 'pino';

import { buildApp } from '../../app.ts';
import { readConfig } from '../../config/config.ts';
import { createConfiguredRetrievers } from '../../config/configured-retrievers.ts';
import { clearDrafts } from '../../evaluation/drafts/write-draft.ts';
import { createJobs } from '../../jobs/create-jobs.ts';
import { routeSdkLog } from '../../retrieval/ai-core/sdk-log.ts';
import { openDatabase } from '../../storage/database/database.ts';
import { migrate } from '../../storage/migrations/migrations.ts';
import type { Call, Service } from './service.ts';
import { ServiceProblem } from './service-problem.ts';

const now = () => new Date().toISOString();

/** Bodies are files of this machine: nobody else's memory is at stake. */
const maxBodyBytes = 2 ** 40;

/** The service without a socket, over a SQLite file or a database in memory. It takes up what an earlier process left. */
export async function openInProcessService(store: string | undefined): Promise<Service> {
  const databaseUrl = store === undefined ? 'sqlite::memory:' : `sqlite:${resolve(store)}`;
  const config = readConfig({ ...process.env, DATABASE_URL: databaseUrl, AUTH_MODE: 'none' });
  const level = process.env['LOG_LEVEL'] === undefined ? 'silent' : config.logLevel;
  const log = pino({ level }, pino.destination({ fd: 2, sync: true }));
  routeSdkLog(log);
  const db = openDatabase(databaseUrl, { quotas: config.quotas });
  await migrate(db);
  await clearDrafts(db, { now: now(), all: true });
  const retrievers = createConfiguredRetrievers(config, db);
  const { searchConcurrency, storeSnippets } = config;
  const context = { db, retrievers, now, createId: randomUUID, log };
  const jobs = await createJobs({
    ...context,
    databaseUrl,
    searchConcurrency,
    storeSnippets,
    drainMs: config.shutdownGraceMs / 2,
  });
  const app = await buildApp({ ...context, jobs, maxBodyBytes, importMemoryBytes: maxBodyBytes });
  await jobs.resume();
  return {
    isRemote: false,
    async call(call) {
      const { statusCode: status, body, headers } = await app.inject(toInjection(call));
      if (status >= 300) throw new ServiceProblem({ status, body }, call);
      return { status, body, headers: headers as Record<string, string> };
    },
    async close() {
      await Promise.all([app.close(), jobs.close()]);
      await db.destroy();
    },
  };
}

function toInjection({ method, path, body, accept, headers = {} }: Call): InjectOptions {
  const asked = {
    method,
    url: path,
    headers: { accept: accept ?? 'application/json', ...headers },
  };
  if (body === undefined) return asked;
  if ('json' in body) return { ...asked, payload: body.json as object };
  const type = { 'content-type': body.type, 'transfer-encoding': 'chunked' };
  return { ...asked, headers: { ...asked.headers, ...type }, payload: Readable.from(body.chunks) };
}
