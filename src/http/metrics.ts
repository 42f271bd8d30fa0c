import type { FastifyInstance } from 'fastify';
import metrics from 'fastify-metrics';
import client, { type GaugeConfiguration } from 'prom-client';

import type { Computations } from '../evaluation/computations/computations.ts';
import type { RetrieverRegistry } from '../retrieval/registry.ts';
import type { Database } from '../storage/database/database.ts';
import { countWorkload, type Workload } from '../storage/evaluations/workload.ts';

export interface MetricsOptions {
  readonly db: Database;
  readonly retrievers: RetrieverRegistry;
  readonly computations: Computations;
}

const { Counter, Gauge, Histogram, register } = client;

/** Resource groups beyond this number share one label: each label value is a time series that stays. */
const shownGroups = 20;

/**
 * Serves /metrics. No label holds a name, a tenant or a text: resource groups, whose names clients choose,
 * go by a hash.
 */
export async function setupMetrics(
  app: FastifyInstance,
  { db, retrievers, computations }: MetricsOptions,
): Promise<void> {
  await app.register(metrics.default, { endpoint: '/metrics', clearRegisterOnInit: true });
  describeWorkload(db);
  describeSearches(retrievers);
  describeLimiter(retrievers);
  describeComputations(computations);
}

function describeComputations({ count }: Computations): void {
  defineGauge({
    name: 'grounding_eval_computations_running',
    help: 'Large computations of requests that run on this instance',
    collect() {
      this.set(count().running);
    },
  });
  defineGauge({
    name: 'grounding_eval_computations_waiting',
    help: 'Large computations of requests that wait for their turn on this instance',
    collect() {
      this.set(count().waiting);
    },
  });
}

/** A store that does not answer is a metric too, and takes none of the others away. */
function describeWorkload(db: Database): void {
  const read = rememberShortly(() => countWorkload(db).catch(() => undefined));
  defineGauge({
    name: 'grounding_eval_store_up',
    help: '1 if the database responds',
    async collect() {
      this.set((await read()) === undefined ? 0 : 1);
    },
  });
  defineGauge({
    name: 'grounding_eval_evaluations',
    help: 'Stored evaluations of all tenants, by status',
    labelNames: ['status'],
    async collect() {
      this.reset();
      const workload = await read();
      if (!workload) return;
      for (const [status, count] of Object.entries(workload.evaluations)) {
        this.set({ status }, count);
      }
    },
  });
  defineGauge({
    name: 'grounding_eval_queue_depth',
    help: 'Work waiting to be processed: evaluations, batches of evaluations, outgoing messages',
    labelNames: ['work'],
    async collect() {
      this.reset();
      const workload = await read();
      if (!workload) return;
      for (const [work, count] of Object.entries(toDepths(workload))) this.set({ work }, count);
    },
  });
}

function toDepths({ evaluations, batches, messages }: Workload): Record<string, number> {
  return { evaluations: evaluations.queued, batches, messages };
}

function describeSearches({ onSearch }: RetrieverRegistry): void {
  const searches = new Counter({
    name: 'grounding_eval_searches_total',
    help: 'Finished searches on this instance, by backend and outcome',
    labelNames: ['backend', 'outcome'],
  });
  const attempts = new Counter({
    name: 'grounding_eval_search_attempts_total',
    help: 'Calls made by searches on this instance, including retries',
    labelNames: ['backend'],
  });
  const durations = new Histogram({
    name: 'grounding_eval_search_duration_seconds',
    help: 'Duration of searches, including waiting and retries',
    labelNames: ['backend'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  });
  onSearch?.(({ backend, outcome, seconds, attempts: calls }) => {
    searches.inc({ backend, outcome });
    attempts.inc({ backend }, calls);
    durations.observe({ backend }, seconds);
  });
}

function describeLimiter({ listGates }: RetrieverRegistry): void {
  const describe = (name: string, help: string, read: (gate: ShownGate) => number) => {
    defineGauge({
      name,
      help,
      labelNames: ['group'],
      collect() {
        this.reset();
        for (const gate of listShown()) this.set({ group: gate.group }, read(gate));
      },
    });
  };
  const listShown = () => (listGates?.() ?? []).slice(0, shownGroups);
  describe(
    'grounding_eval_limiter_limit',
    'Current limit of concurrent calls of a resource group of AI Core',
    ({ limit }) => limit,
  );
  describe(
    'grounding_eval_limiter_calls',
    'Concurrent calls of a resource group',
    ({ underWay }) => underWay,
  );
  describe(
    'grounding_eval_limiter_waiting',
    'Calls waiting for the concurrency limit of their resource group',
    ({ waiting }) => waiting,
  );
  describe(
    'grounding_eval_limiter_paused',
    '1 while a resource group is paused by Retry-After',
    ({ isPaused }) => (isPaused ? 1 : 0),
  );
  defineGauge({
    name: 'grounding_eval_limiter_groups',
    help: `Number of resource groups called; the first ${shownGroups} have their own metrics`,
    collect() {
      this.set(listGates?.().length ?? 0);
    },
  });
}

/** A gauge that reads itself at each scrape. */
function defineGauge<Label extends string = never>(gauge: GaugeConfiguration<Label>): void {
  register.registerMetric(new Gauge<Label>({ ...gauge, registers: [] }));
}

type ShownGate = ReturnType<NonNullable<RetrieverRegistry['listGates']>>[number];

/** All metrics of one scrape are of one reading. */
function rememberShortly<Value>(read: () => Promise<Value>): () => Promise<Value> {
  const keptMs = 500;
  let last: { readonly value: Promise<Value>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (!last || last.until <= now) last = { value: read(), until: now + keptMs };
    return last.value;
  };
}
