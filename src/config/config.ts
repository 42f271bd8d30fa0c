import { z } from 'zod';

import { AppError } from '../errors.ts';
import {
  defaultComputationLimits,
  type ComputationLimits,
} from '../evaluation/computations/computations.ts';
import { findXsuaa } from './xsuaa-binding.ts';
import { readApplication } from '../jobs/delivery/application.ts';
import type { Integrations } from '../jobs/delivery/integrations.ts';
import { findAiCore, findAlertNotification, findJobScheduler } from './service-bindings.ts';
import type { ServiceKey } from '../retrieval/ai-core/service-key.ts';
import { findBoundDatabase } from './database-binding.ts';
import { Environment, type Settings, type Variables } from './environment.ts';
import { isPostgres, type DatabaseAddress } from '../storage/database/database.ts';
import type { Quotas } from '../storage/database/tenant-scope.ts';
import type { HttpEndpoints } from '../retrieval/http-endpoints.ts';
import type { SqlSource } from '../retrieval/sql-sources.ts';
import { readHttpEndpoints } from './http-endpoints.ts';
import { readSqlSources } from './sql-sources.ts';
import type { XsuaaBinding } from '../http/access/xsuaa-binding.ts';

/** What the environment decides. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Named by the environment, else bound, else a file. */
  readonly database: DatabaseAddress;
  readonly databasePoolSize: number;
  readonly logLevel: string;
  /** The XSUAA whose tokens are accepted; undefined: no authentication. */
  readonly xsuaa: XsuaaBinding | undefined;
  /** Whether everybody who reaches this machine is let in without sign-in. */
  readonly isOpenToAll: boolean;
  readonly metricsToken: string | undefined;
  /** What each tenant may have. */
  readonly quotas: Quotas;
  readonly bodyLimitBytes: number;
  /** For bodies that are read at the same time. */
  readonly importMemoryBytes: number;
  /** Of one client on this instance; 0: no limit. */
  readonly requestsPerMinute: number;
  /** Through how many proxies every request comes. */
  readonly trustedProxies: number;
  /** Large computations of requests. */
  readonly computations: ComputationLimits;
  readonly searchConcurrency: number;
  readonly searchTimeoutMs: number;
  readonly searchAttempts: number;
  /** From the environment, else from a bound service; undefined: neither is there. */
  readonly aiCoreServiceKey: ServiceKey | undefined;
  /** What configurations with the backend `http` may search. */
  readonly httpEndpoints: HttpEndpoints;
  readonly sqlSources: ReadonlyMap<string, SqlSource>;
  /** The folder that holds the folders of cross-encoders; undefined: there are none. */
  readonly crossEncoderRoot: string | undefined;
  readonly storeSnippets: boolean;
  /** Undefined: nothing is traced. */
  readonly tracing: { readonly serviceName: string; readonly ratio: number } | undefined;
  readonly shutdownGraceMs: number;
  /** How long ended evaluations are kept; undefined: for ever. */
  readonly retentionDays: number | undefined;
  /** Bound services, and where alerts may go. */
  readonly integrations: Integrations;
  /** How long a message to the outside is tried. */
  readonly outboxMaxAgeMs: number;
}

const bytesPerMegabyte = 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;

/** Reads the configuration, or says which variable is wrong. Values never appear in the message. */
export function readConfig(environment: Variables): Config {
  // An empty variable is one that is not set: that is how shells and .env files unset them.
  const set = Object.entries(environment).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const parsed = Environment.safeParse(Object.fromEntries(set));
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new AppError('invalid-input', `Invalid environment: ${issues.join('; ')}`);
  }
  const { HOST: host, METRICS_TOKEN: metricsToken } = parsed.data;
  const xsuaa = readSignIn(environment, parsed.data);
  const isOpenToAll = !xsuaa && !isLoopback(host);
  return {
    host,
    port: parsed.data.PORT,
    database: findDatabase(environment, parsed.data),
    databasePoolSize: parsed.data.DATABASE_POOL_SIZE,
    logLevel: parsed.data.LOG_LEVEL,
    xsuaa,
    isOpenToAll,
    metricsToken,
    quotas: {
      evaluations: parsed.data.MAX_EVALUATIONS,
      questions: parsed.data.MAX_QUESTIONS,
      aiCore: listAllowedAccess(environment, parsed.data, xsuaa),
    },
    bodyLimitBytes: Math.round(parsed.data.BODY_LIMIT_MB * bytesPerMegabyte),
    importMemoryBytes: parsed.data.IMPORT_MEMORY_MB * bytesPerMegabyte,
    requestsPerMinute: parsed.data.RATE_LIMIT_PER_MINUTE,
    trustedProxies: parsed.data.TRUSTED_PROXIES ?? (isOnCloudFoundry(environment) ? 1 : 0),
    computations: readComputations(parsed.data),
    searchConcurrency: parsed.data.SEARCH_CONCURRENCY,
    searchTimeoutMs: parsed.data.SEARCH_TIMEOUT_MS,
    searchAttempts: parsed.data.SEARCH_ATTEMPTS,
    httpEndpoints: readHttpEndpoints(parsed.data.HTTP_SEARCH_ENDPOINTS, {
      hasSeveralTenants: hasSeveralTenants(xsuaa),
    }),
    sqlSources: readSqlSources(parsed.data.SQL_SEARCH_SOURCES, {
      hasSeveralTenants: hasSeveralTenants(xsuaa),
    }),
    aiCoreServiceKey: parsed.data.AICORE_SERVICE_KEY ?? readBound(environment, findAiCore),
    crossEncoderRoot: parsed.data.CROSS_ENCODER_ROOT,
    tracing: readTracing(parsed.data),
    storeSnippets: parsed.data.STORE_SNIPPETS === 'true',
    shutdownGraceMs: parsed.data.SHUTDOWN_GRACE_MS,
    retentionDays: parsed.data.RETENTION_DAYS,
    integrations: readIntegrations(environment, parsed.data),
    outboxMaxAgeMs: parsed.data.OUTBOX_MAX_DAYS * dayMs,
  };
}

function findDatabase(
  environment: Variables,
  { DATABASE_URL: url, ALLOW_EPHEMERAL_DATABASE: mayBeLost }: Settings,
): DatabaseAddress {
  const named = url === undefined ? readBound(environment, findBoundDatabase) : { url };
  const address = named ?? { url: 'sqlite:./data/grounding-eval.db' };
  if (isPostgres(address.url) || !isOnCloudFoundry(environment) || mayBeLost === 'true') {
    return address;
  }
  const message =
    'Invalid environment: DATABASE_URL: Cloud Foundry deletes the files of an application when it restarts, and everything in this SQLite database with them. Bind a PostgreSQL service, set DATABASE_URL, or set ALLOW_EPHEMERAL_DATABASE=true to accept the loss';
  throw new AppError('invalid-input', message);
}

/** Undefined without authentication, which must be set explicitly unless only this machine is served. */
function readSignIn(
  environment: Variables,
  { AUTH_MODE, NODE_ENV, HOST }: Settings,
): XsuaaBinding | undefined {
  if (AUTH_MODE === 'none') return undefined;
  const bound = readBound(environment, findXsuaa);
  if (bound) return bound;
  if (AUTH_MODE === 'xsuaa' || NODE_ENV === 'production') {
    const why = AUTH_MODE === 'xsuaa' ? 'AUTH_MODE=xsuaa' : 'NODE_ENV=production';
    const message = `${why} requires a bound xsuaa service, but VCAP_SERVICES has none; set AUTH_MODE=none to run without authentication`;
    throw new AppError('invalid-input', message);
  }
  if (isLoopback(HOST)) return undefined;
  const message = `HOST=${HOST} would serve anyone who can reach this machine without authentication; set AUTH_MODE=none to allow this`;
  throw new AppError('invalid-input', message);
}

function hasSeveralTenants(xsuaa: XsuaaBinding | undefined): boolean {
  return xsuaa !== undefined && xsuaa.onlyZone === undefined;
}

/** There every request comes through the platform's router. */
function isOnCloudFoundry({ VCAP_APPLICATION: application = '' }: Variables): boolean {
  return application !== '';
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function readTracing(set: Settings): Config['tracing'] {
  const target = set.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? set.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (target === undefined || set.OTEL_SDK_DISABLED === 'true') return undefined;
  return { serviceName: set.OTEL_SERVICE_NAME, ratio: set.OTEL_TRACES_SAMPLER_ARG };
}

/**
 * What the one tenant may use: all that its own binding reaches, and the destinations that are named. With several
 * tenants the environment lists nothing: operators say for each what it may use.
 */
function listAllowedAccess(
  environment: Variables,
  set: Settings,
  xsuaa: XsuaaBinding | undefined,
): Quotas['aiCore'] {
  const named = [...set.AICORE_DESTINATIONS, ...listOwnDestinations(environment)];
  if (hasSeveralTenants(xsuaa)) return undefined;
  const used = {
    resourceGroups: set.AICORE_RESOURCE_GROUPS,
    models: set.AICORE_MODELS,
    deployments: set.AICORE_DEPLOYMENTS,
  };
  return [used, ...[...new Set(named)].map((destination) => ({ destination, ...used }))];
}

function readComputations(set: Settings): ComputationLimits {
  const limits = defaultComputationLimits();
  return {
    atOnce: set.COMPUTATIONS_AT_ONCE ?? limits.atOnce,
    maxWaiting: set.COMPUTATIONS_WAITING ?? limits.maxWaiting,
  };
}

/** Destinations that the environment itself defines (`destinations`, as the SDK reads it) are allowed. */
function listOwnDestinations({ destinations }: Variables): readonly string[] {
  try {
    const parsed = OwnDestinations.safeParse(JSON.parse(destinations ?? '[]'));
    return (parsed.data ?? []).map(({ name }) => name);
  } catch {
    // The parser's message quotes the text, which holds credentials.
    const message = 'Invalid environment: destinations: is not JSON';
    throw new AppError('invalid-input', message);
  }
}

const OwnDestinations = z.array(z.object({ name: z.string() }));

function readIntegrations(
  environment: Variables,
  { ALERT_HOSTS, ALERT_ALLOW_LOOPBACK }: Settings,
): Integrations {
  return {
    jobScheduler: readBound(environment, findJobScheduler),
    alertNotification: readBound(environment, findAlertNotification),
    targetPolicy: { hosts: ALERT_HOSTS, allowLoopback: ALERT_ALLOW_LOOPBACK === 'true' },
    application: readApplication(environment),
  };
}

function readBound<Binding>(
  environment: Variables,
  find: (services: string | undefined) => Binding | undefined,
): Binding | undefined {
  try {
    return find(environment['VCAP_SERVICES']);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = `Invalid environment: VCAP_SERVICES: ${error.message}`;
    throw new AppError('invalid-input', message);
  }
}
