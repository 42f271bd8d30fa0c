import { randomUUID } from 'node:crypto';

import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { inject, onTestFinished } from 'vitest';

import { buildApp } from '../../src/app.ts';
import type { Computations } from '../../src/evaluation/computations/computations.ts';
import { createSearchSources } from '../../src/evaluation/catalog/search-sources.ts';
import type { ProvisionTenant } from '../../src/evaluation/tenants/provision-tenant.ts';
import { createJobs } from '../../src/jobs/create-jobs.ts';
import type { AiCoreOptions } from '../../src/retrieval/ai-core/connection.ts';
import type { SignIn } from '../../src/http/access/sign-in.ts';
import type { Integrations } from '../../src/jobs/delivery/integrations.ts';
import type { EvaluationJobs, JobLog } from '../../src/jobs/evaluation-jobs.ts';
import type { ChatModel } from '../../src/retrieval/chat-model.ts';
import type { HttpEndpoints } from '../../src/retrieval/http-endpoints.ts';
import type { SqlSource } from '../../src/retrieval/sql-sources.ts';
import { createRetrieverRegistry, type RetrieverRegistry } from '../../src/retrieval/registry.ts';
import { openDatabase, type Database } from '../../src/storage/database/database.ts';
import {
  localTenant,
  scopeToTenant,
  type Quotas,
} from '../../src/storage/database/tenant-scope.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { allowAll } from './allowances.ts';

export interface TestService {
  readonly app: FastifyInstance;
  /** As the tenant without sign-in sees it. */
  readonly db: Database;
  readonly jobs: EvaluationJobs;
  readonly retrievers: RetrieverRegistry;
  readonly close: () => Promise<void>;
}

export interface TestServiceOptions {
  readonly databaseUrl?: string;
  readonly maxBodyBytes?: number;
  /** Default: that of the service. */
  readonly importMemoryBytes?: number;
  /** Default: those of the service. */
  readonly computations?: Computations;
  /** Default: no limit. */
  readonly requestsPerMinute?: number;
  /** Default: none. */
  readonly trustedProxies?: number;
  readonly retrievers?: RetrieverRegistry;
  /** How AI Core is searched; without it there is no way to it. */
  readonly aiCore?: AiCoreOptions;
  /** What configurations with the backend `http` may search, by name. */
  readonly httpEndpoints?: HttpEndpoints;
  /** What configurations with the backend `sql` may search, by name. */
  readonly sqlSources?: ReadonlyMap<string, SqlSource>;
  /** The folder that holds the folders of cross-encoders. */
  readonly crossEncoderRoot?: string;
  /** What stages of pipelines ask; without it they cannot. */
  readonly chatModel?: ChatModel;
  readonly storeSnippets?: boolean;
  readonly fastify?: FastifyServerOptions;
  /** Takes up what an earlier service left, as the real one does when it starts. */
  readonly resume?: boolean;
  readonly now?: () => string;
  readonly integrations?: Integrations;
  /** Hears of faults of evaluations. */
  readonly log?: JobLog;
  /** Default: everybody may do everything. */
  readonly signIn?: SignIn;
  readonly metricsToken?: string;
  /** Default: tenants have as much as they want. */
  readonly quotas?: Quotas;
  /** What the environment allows of AI Core. Default: everything without sign-in; with it, what operators list. */
  readonly allowed?: Quotas['aiCore'];
  /** Default: tenants get nothing when they come. */
  readonly provisionTenant?: (db: Database) => ProvisionTenant;
  /** Default: where the build puts the pages. */
  readonly pagesFolder?: string;
}

/** A service with everything real but the network, on a database of its own unless one is named. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const { databaseUrl = 'sqlite::memory:' } = options;
  const image = databaseUrl === 'sqlite::memory:' ? sqliteImage() : undefined;
  const isOpen = options.signIn === undefined;
  const allowed = options.allowed ?? (isOpen ? allowAll('AICORE').access : undefined);
  const quotas = { aiCore: allowed, ...options.quotas };
  const db = scopeToTenant(openDatabase(databaseUrl, { quotas, image }), localTenant);
  await migrate(db);
  const { storeSnippets, aiCore, chatModel, crossEncoderRoot, httpEndpoints, sqlSources } = options;
  const retrievers =
    options.retrievers ??
    createRetrieverRegistry(createSearchSources(db), aiCore, {
      chatModel,
      crossEncoderRoot,
      http: httpEndpoints && { endpoints: httpEndpoints, ...httpLimits },
      sql: sqlSources && { sources: sqlSources, ...httpLimits },
    });
  const { now = () => new Date().toISOString(), integrations, signIn, metricsToken } = options;
  const { log = { info: () => undefined, error: () => undefined } } = options;
  const context = {
    db,
    retrievers,
    now,
    log,
    createId: randomUUID,
    storeSnippets,
    searchConcurrency: 4,
  };
  const jobs = await createJobs({ ...context, databaseUrl, drainMs: 0 });
  const maxBodyBytes = options.maxBodyBytes ?? 64 * 1024 * 1024;
  const dependencies = {
    db,
    retrievers,
    jobs,
    now,
    createId: randomUUID,
    maxBodyBytes,
    importMemoryBytes: options.importMemoryBytes,
    computations: options.computations,
    requestsPerMinute: options.requestsPerMinute,
    trustedProxies: options.trustedProxies,
    integrations,
    signIn,
    metricsToken,
    provisionTenant: options.provisionTenant?.(db),
    pagesFolder: options.pagesFolder,
  };
  const app = await buildApp(dependencies, options.fastify);
  if (options.resume === true) await jobs.resume();
  return {
    app,
    db,
    jobs,
    retrievers,
    async close() {
      await app.close();
      await jobs.close();
      await db.destroy();
    },
  };
}

const httpLimits = { concurrency: 8, timeoutMs: 10_000, attempts: 2 };

/** A migrated database in memory. Migrating an empty one takes ten times as long. */
function sqliteImage(): Uint8Array {
  return Buffer.from(inject('sqliteImage'), 'base64');
}

/** As `startService`, closed when the test ends. */
export async function createTestApp(options: TestServiceOptions = {}): Promise<FastifyInstance> {
  const { app, close } = await startService(options);
  onTestFinished(close);
  return app;
}
