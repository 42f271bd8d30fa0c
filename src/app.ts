import accepts from '@fastify/accepts';
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';

import { connectionLimits, defaultBodyBytes } from './http/connection-limits.ts';
import { refuseWhileClosing } from './http/closing-signal.ts';
import { answerCorrelation, createRequestNames } from './http/correlation.ts';
import { tagReads } from './http/answers/entity-tags.ts';
import { acceptGzip } from './http/bodies/content-encoding.ts';
import { boundImportMemory, usualImportMemoryBytes } from './http/bodies/import-memory.ts';
import { setJsonParser } from './http/bodies/json-body.ts';
import { setLineParsers } from './http/bodies/line-body.ts';
import { refuseOtherMediaTypes, refuseUnmetAccept } from './http/bodies/media-types.ts';
import { refuseUnknownQueries } from './http/unknown-queries.ts';
import { setupOpenApi } from './http/openapi.ts';
import { answerFrameworkError, setProblemHandlers } from './http/problem.ts';
import { setupMetrics } from './http/metrics.ts';
import { createUnauthenticatedLimit, limitRate } from './http/access/rate-limit.ts';
import { aiCoreRoutes } from './http/routes/aicore.ts';
import { allowanceRoutes } from './http/routes/allowances.ts';
import { auditRoutes } from './http/routes/audit.ts';
import { baselineRoutes } from './http/routes/baselines.ts';
import { alertTargetRoutes } from './http/routes/alert-targets.ts';
import { comparisonRoutes } from './http/routes/comparisons.ts';
import { corpusRoutes } from './http/routes/corpora.ts';
import { evaluationEndRoutes } from './http/routes/evaluation-ends.ts';
import { evaluationEventRoutes } from './http/routes/evaluation-events.ts';
import { evaluationFunnelRoutes } from './http/routes/evaluation-funnel.ts';
import { evaluationQuestionRoutes } from './http/routes/evaluation-questions.ts';
import { evaluationResultRoutes } from './http/routes/evaluation-results.ts';
import { evaluationRoutes } from './http/routes/evaluations.ts';
import { judgmentRoutes } from './http/routes/judgments.ts';
import { jobRunRoutes } from './http/routes/job-runs.ts';
import { measureRoutes } from './http/routes/measures.ts';
import { pageRoutes } from './http/routes/pages.ts';
import { poolRoutes } from './http/routes/pools.ts';
import { priceRoutes } from './http/routes/prices.ts';
import { qrelsRoutes } from './http/routes/qrels.ts';
import { questionSetRoutes } from './http/routes/question-sets.ts';
import { runRoutes } from './http/routes/runs.ts';
import { principalRoutes } from './http/routes/principal.ts';
import { sampleRoutes } from './http/routes/sample.ts';
import { scheduleRoutes } from './http/routes/schedules.ts';
import { searchConfigurationRoutes } from './http/routes/search-configurations.ts';
import { searchRoutes } from './http/routes/searches.ts';
import { serviceRoutes } from './http/routes/service.ts';
import { sittingRoutes } from './http/routes/sittings.ts';
import { topDocumentRoutes } from './http/routes/top-documents.ts';
import { trendRoutes } from './http/routes/trends.ts';
import { setSecurityHeaders } from './http/security-headers.ts';
import { traceRequests } from './http/tracing.ts';
import { noIntegrations, type Integrations } from './jobs/delivery/integrations.ts';
import type { EvaluationJobs } from './jobs/evaluation-jobs.ts';
import type { RetrieverRegistry } from './retrieval/registry.ts';
import { getPrincipal } from './http/access/principal.ts';
import {
  createComputations,
  defaultComputationLimits,
  type Computations,
} from './evaluation/computations/computations.ts';
import { createResultCache } from './evaluation/lifecycle/result-cache.ts';
import type { ProvisionTenant } from './evaluation/tenants/provision-tenant.ts';
import { computeForSenders } from './http/access/sender-computations.ts';
import { guardRoutes } from './http/access/authorization.ts';
import { guardMetrics } from './http/access/metrics-guard.ts';
import { createOpenSignIn, type SignIn } from './http/access/sign-in.ts';
import { createTenantDatabases } from './http/access/tenant-databases.ts';
import type { Database } from './storage/database/database.ts';

export interface AppDependencies {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
  readonly jobs: EvaluationJobs;
  /** RFC 3339, UTC. */
  readonly now: () => string;
  readonly createId: () => string;
  /** Of routes that take whole sets; the others take less. */
  readonly maxBodyBytes: number;
  /** For bodies that are read at the same time; default: 256 MiB. */
  readonly importMemoryBytes?: number | undefined;
  /** Turns for large computations; default: as many as the processor's cores suggest. */
  readonly computations?: Computations | undefined;
  /** Whether each request is a span of a trace. */
  readonly isTraced?: boolean | undefined;
  /** Of one client on this instance; 0, the default: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** Through how many proxies every request comes, each of which notes where it came from; default: none. */
  readonly trustedProxies?: number | undefined;
  /** Default: nothing is bound. */
  readonly integrations?: Integrations | undefined;
  /** Default: everybody may do everything. */
  readonly signIn?: SignIn | undefined;
  /** What is done before the first request of a tenant. */
  readonly provisionTenant?: ProvisionTenant | undefined;
  /** Whoever is not on this machine needs it for metrics; undefined: nobody else gets them. */
  readonly metricsToken?: string | undefined;
  /** The folder of the built web pages; default: where the build puts them. */
  readonly pagesFolder?: string | undefined;
}

/** Wires the HTTP service. Whatever holds state comes in as a dependency, so a test decides what it is. */
export async function buildApp(
  dependencies: AppDependencies,
  options: FastifyServerOptions = {},
): Promise<FastifyInstance> {
  const { db, retrievers, requestsPerMinute = 0, isTraced = false, metricsToken } = dependencies;
  const { signIn = createOpenSignIn(), trustedProxies = 0 } = dependencies;
  const app = createServer(dependencies, options);
  setProblemHandlers(app);
  answerCorrelation(app);
  if (isTraced) traceRequests(app);
  refuseWhileClosing(app);
  await limitRate(app, requestsPerMinute);
  guardRoutes(app, signIn, createUnauthenticatedLimit(app, requestsPerMinute));
  guardMetrics(app, { token: metricsToken, isProxied: trustedProxies > 0 });
  setJsonParser(app);
  setLineParsers(app);
  refuseOtherMediaTypes(app);
  refuseUnmetAccept(app);
  boundImportMemory(app, dependencies.importMemoryBytes ?? usualImportMemoryBytes);
  acceptGzip(app);
  await setSecurityHeaders(app);
  await app.register(accepts);
  tagReads(app);
  const { computations = createComputations(defaultComputationLimits()) } = dependencies;
  await setupMetrics(app, { db, retrievers, computations });
  await setupOpenApi(app);
  await app.register(serviceRoutes, { db, retrievers });
  await app.register(pageRoutes, { folder: dependencies.pagesFolder });
  await app.register((v1) => registerResources(v1, { ...dependencies, computations }), {
    prefix: '/v1',
  });
  await app.ready();
  return app;
}

async function registerResources(
  v1: FastifyInstance,
  dependencies: AppDependencies & { readonly computations: Computations },
): Promise<void> {
  const { db, retrievers, jobs, now, createId, maxBodyBytes, provisionTenant } = dependencies;
  const { integrations = noIntegrations } = dependencies;
  const dbFor = createTenantDatabases(db);
  const memory = createResultCache();
  computeForSenders(v1, dependencies.computations);
  refuseUnknownQueries(v1);
  if (provisionTenant) {
    v1.addHook('onRequest', (request) => provisionTenant(getPrincipal(request).tenant));
  }
  await v1.register(questionSetRoutes, { dbFor, now, createId, maxBodyBytes });
  await v1.register(judgmentRoutes, { dbFor, now, maxBodyBytes });
  await v1.register(sittingRoutes, { dbFor, now });
  await v1.register(qrelsRoutes, { dbFor, now, createId, maxBodyBytes });
  await v1.register(corpusRoutes, { dbFor, now, maxBodyBytes });
  await v1.register(searchConfigurationRoutes, { dbFor, now });
  await v1.register(searchRoutes, { dbFor, retrievers });
  await v1.register(runRoutes, { dbFor, now, createId, maxBodyBytes });
  await v1.register(measureRoutes);
  await v1.register(principalRoutes);
  await v1.register(sampleRoutes, { dbFor, now });
  await v1.register(evaluationRoutes, { dbFor, now, createId, jobs, retrievers });
  await v1.register(baselineRoutes, { dbFor, now });
  await v1.register(trendRoutes, { dbFor });
  await v1.register(evaluationEndRoutes, { dbFor, now, jobs });
  await v1.register(evaluationQuestionRoutes, { dbFor, memory, retrievers });
  await v1.register(evaluationResultRoutes, { dbFor, now, memory });
  await v1.register(evaluationFunnelRoutes, { dbFor, memory });
  await v1.register(topDocumentRoutes, { dbFor, memory });
  await v1.register(priceRoutes, { dbFor, now });
  await v1.register(evaluationEventRoutes, { dbFor, now });
  await v1.register(scheduleRoutes, { dbFor, now });
  await v1.register(jobRunRoutes, { dbFor, now, createId, jobs, retrievers, integrations });
  await v1.register(alertTargetRoutes, { dbFor, now, integrations });
  await v1.register(comparisonRoutes, { dbFor });
  await v1.register(poolRoutes, { dbFor, retrievers });
  await v1.register(auditRoutes, { dbFor });
  await v1.register(aiCoreRoutes, { retrievers });
  await v1.register(allowanceRoutes, { dbFor, now });
}

function createServer(
  { createId, maxBodyBytes, trustedProxies = 0 }: AppDependencies,
  options: FastifyServerOptions,
): FastifyInstance {
  return Fastify({
    ...connectionLimits,
    trustProxy: (_address, hop) => hop < trustedProxies,
    bodyLimit: Math.min(defaultBodyBytes, maxBodyBytes),
    return503OnClosing: false,
    frameworkErrors: answerFrameworkError,
    genReqId: createRequestNames(createId),
    logController: new LogController({ requestIdLogLabel: 'correlation_id' }),
    routerOptions: { maxParamLength: 200 },
    ...options,
  });
}
