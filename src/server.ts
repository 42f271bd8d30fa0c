import './node-guard.cjs';

import { randomUUID } from 'node:crypto';

import pino, { type Logger } from 'pino';

import { buildApp } from './app.ts';
import { readConfig, type Config } from './config/config.ts';
import { createConfiguredRetrievers } from './config/configured-retrievers.ts';
import { AppError } from './errors.ts';
import { createComputations } from './evaluation/computations/computations.ts';
import { loadSample } from './evaluation/tenants/load-sample.ts';
import { createTenantProvisioning } from './evaluation/tenants/provision-tenant.ts';
import { clearDrafts } from './evaluation/drafts/write-draft.ts';
import { startTracing } from './http/tracing.ts';
import { startBackgroundWork } from './jobs/background-work.ts';
import { createDeliveries } from './jobs/delivery/create-deliveries.ts';
import { createJobs } from './jobs/create-jobs.ts';
import { startRetention } from './jobs/retention.ts';
import { createOpenSignIn, createXsuaaSignIn } from './http/access/sign-in.ts';
import { routeSdkLog } from './retrieval/ai-core/sdk-log.ts';
import { sampleReaders } from './schemas/sample.ts';
import { readScheduledRequest } from './schemas/schedule.ts';
import { isPostgres, openDatabase, type Database } from './storage/database/database.ts';
import { migrate } from './storage/migrations/migrations.ts';
import { localTenant, scopeToTenant } from './storage/database/tenant-scope.ts';
import { underStartLock } from './storage/database/start-lock.ts';

const now = () => new Date().toISOString();

try {
  await serve();
} catch (error) {
  if (!(error instanceof AppError) && !isSystemError(error)) throw error;
  process.stderr.write(`The service could not start: ${error.message}\n`);
  process.exitCode = 1;
}

/** Opens what has a lifetime, in order, and closes it in the opposite one when the process is told to stop. */
async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const { tracing: wanted } = config;
  const tracing = wanted && (await startTracing(wanted.serviceName, wanted.ratio));
  const log = pino({ level: config.logLevel });
  routeSdkLog(log);
  const { url: databaseUrl, tls: databaseTls } = config.database;
  const db = await openStore(config, log).catch(wrapDatabaseError);
  const { searchConcurrency, storeSnippets } = config;
  const retrievers = createConfiguredRetrievers(config, db);
  const jobs = await createJobs({
    databaseUrl,
    databaseTls,
    db,
    retrievers,
    now,
    createId: randomUUID,
    searchConcurrency,
    storeSnippets,
    log,
    drainMs: config.shutdownGraceMs / 2,
  });
  const { integrations, bodyLimitBytes: maxBodyBytes, outboxMaxAgeMs: maxAgeMs } = config;
  const limits = {
    computations: createComputations(config.computations),
    maxBodyBytes,
    importMemoryBytes: config.importMemoryBytes,
    requestsPerMinute: config.requestsPerMinute,
    trustedProxies: config.trustedProxies,
    isTraced: tracing !== undefined,
  };
  const access = createAccess(db, config, log);
  const app = await buildApp(
    { db, retrievers, jobs, now, createId: randomUUID, ...limits, ...access, integrations },
    { loggerInstance: log },
  );
  announcePages(await app.listen({ host: config.host, port: config.port }), log);
  await jobs.resume();
  const retention = startRetention({ db, now, log, days: config.retentionDays });
  const background = startBackgroundWork({
    db,
    retrievers,
    jobs,
    readRequest: readScheduledRequest,
    now,
    log,
    maxAgeMs,
    createId: randomUUID,
    random: Math.random,
    deliver: createDeliveries({ db, integrations, now }),
  });

  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping');
    // What does not end in time is cut off; evaluations go on from what is stored at the next start.
    setTimeout(() => process.exit(1), config.shutdownGraceMs).unref();
    await Promise.all([app.close(), background.close(), jobs.close(), retention.close()]);
    await db.destroy();
    await tracing?.close();
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop(signal));
}

/** For whoever started it by hand: the log is for machines. */
function announcePages(address: string, log: Logger): void {
  log.info(`the web pages are at ${address}/ui/`);
  if (process.stdout.isTTY) process.stderr.write(`\nOpen ${address}/ui/ in a browser.\n\n`);
}

async function openStore(
  { database: { url, tls }, databasePoolSize: poolSize, quotas, xsuaa }: Config,
  log: Logger,
): Promise<Database> {
  if (!isPostgres(url)) {
    const db = openDatabase(url, { quotas });
    await prepare(db, { isShared: false, withSample: !xsuaa, log });
    return db;
  }
  // Migrations, and waiting for another instance that is at it, may take longer than any other statement.
  const unlimited = openDatabase(url, { tls, poolSize, quotas, deadlineMs: 0 });
  try {
    await prepare(unlimited, { isShared: true, withSample: !xsuaa, log });
  } finally {
    await unlimited.destroy();
  }
  return openDatabase(url, { tls, poolSize, quotas });
}

async function prepare(
  db: Database,
  options: { readonly isShared: boolean; readonly withSample: boolean; readonly log: Logger },
): Promise<void> {
  await underStartLock(db, async () => {
    await migrate(db);
    await clearDrafts(db, { now: now(), all: !options.isShared });
    if (!options.withSample) return;
    const own = scopeToTenant(db, localTenant);
    const isLoaded = await loadSample(own, sampleReaders, now());
    if (isLoaded) options.log.info('loaded the sample collection');
  });
}

/** Says that it is the database that failed. An error of several addresses has a code and no message. */
function wrapDatabaseError(cause: unknown): never {
  if (cause instanceof AppError || !isSystemError(cause)) throw cause;
  const reason = cause.message || cause.code;
  throw new AppError('unavailable', `The database cannot be used: ${reason}`, { cause });
}

function createAccess(
  db: Database,
  { xsuaa, metricsToken, isOpenToAll, host }: Config,
  log: Logger,
) {
  if (isOpenToAll) {
    log.warn({ host }, 'AUTH_MODE=none: anyone who can reach this machine has full access');
  }
  if (!xsuaa) return { signIn: createOpenSignIn(), metricsToken };
  const provisionTenant = createTenantProvisioning(db, { readers: sampleReaders, now });
  return { signIn: createXsuaaSignIn(xsuaa), provisionTenant, metricsToken };
}

/** What the system, PostgreSQL or SQLite refused: their words say what to mend, a stack trace would not. */
function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
