import { globalAgent } from 'node:https';

import { onTestFinished, vi } from 'vitest';

import { createXsuaaSignIn } from '../../src/http/access/sign-in.ts';
import { createAlertDelivery } from '../../src/jobs/delivery/deliver-alert.ts';
import { createRunUpdateDelivery } from '../../src/jobs/delivery/deliver-run-update.ts';
import { noIntegrations } from '../../src/jobs/delivery/integrations.ts';
import { createAiCoreConnection } from '../../src/retrieval/ai-core/connection.ts';
import { createOrchestrationChatModel } from '../../src/retrieval/ai-core/orchestration/chat-model.ts';
import { createOrchestrationDeployments } from '../../src/retrieval/ai-core/orchestration/deployments.ts';
import type { Allowances } from '../../src/model/allowances.ts';
import { createHttpConnection } from '../../src/retrieval/backends/http/http-connection.ts';
import { createHttpRetriever } from '../../src/retrieval/backends/http/http-retriever.ts';
import type { HttpConfiguration } from '../../src/model/http-search.ts';
import { createRetrieverRegistry } from '../../src/retrieval/registry.ts';
import type { AlertTarget } from '../../src/storage/monitoring/alert-targets.ts';
import { upsertAlertTarget } from '../../src/storage/monitoring/alert-targets.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { migrate } from '../../src/storage/migrations/migrations.ts';
import { localTenant, scopeToTenant } from '../../src/storage/database/tenant-scope.ts';
import { allowAll } from './allowances.ts';
import { createAuthority, type ServerCertificate } from './certificates.ts';
import { makeToken } from './tokens.ts';

/** A place where a request leaves the service. */
export interface OutboundDoor {
  /** The path that the request goes to. */
  readonly path: RegExp;
  /** Sends a request to the server, and resolves when it was answered. */
  readonly knock: (url: string) => Promise<unknown>;
  readonly isSecure?: true;
  /** The most that is read of an answer, unpacked. */
  readonly bytes: number;
}

const mebibyte = 2 ** 20;
const [aiCoreBytes, credentialBytes, deliveryBytes] = [16 * mebibyte, mebibyte, 256 * 1024];
/** Short, so that a drip of bytes ends soon. */
const timeoutMs = 1000;

/** All places where a request leaves the service but for traces, which the operator's own collector gets. */
export const outboundDoors: Readonly<Record<string, OutboundDoor>> = {
  'a search of AI Core': {
    path: /retrieval\/search/,
    knock: (url) => search(url, { backend: 'aicore', documentId }),
    bytes: aiCoreBytes,
  },
  'a search over HTTP': {
    path: /find/,
    knock: searchOverHttp,
    bytes: aiCoreBytes,
  },
  'the list of data repositories': {
    path: /dataRepositories/,
    knock: async (url) => {
      const list = createRegistry(url).listRepositories;
      return list?.({ resourceGroup: 'default', limit: 10, offset: 0 }, localTenant, never());
    },
    bytes: aiCoreBytes,
  },
  'the list of deployments': {
    path: /lm\/deployments/,
    knock: (url) => search(url, orchestration),
    bytes: aiCoreBytes,
  },
  'a search of the orchestration service': {
    path: /completion/,
    knock: (url) => search(url, orchestration),
    bytes: aiCoreBytes,
  },
  'a model of the orchestration service': {
    path: /completion/,
    knock: askModel,
    bytes: aiCoreBytes,
  },
  'the token endpoint of the service key': {
    path: /oauth\/token/,
    knock: (url) => search(url, { backend: 'aicore', documentId }),
    bytes: credentialBytes,
  },
  'the token endpoint of the destination service': {
    path: /oauth\/token/,
    knock: searchThroughDestination,
    bytes: credentialBytes,
  },
  'the destination service': {
    path: /destination-configuration/,
    knock: searchThroughDestination,
    bytes: credentialBytes,
  },
  'the keys that tokens are checked with': {
    path: /token_keys/,
    knock: signIn,
    isSecure: true,
    bytes: credentialBytes,
  },
  'a webhook': {
    path: /hook/,
    knock: (url) => sendAlert(url, { type: 'webhook', url: `${url}/hook`, secret: 'x'.repeat(32) }),
    bytes: deliveryBytes,
  },
  'SAP Alert Notification': {
    path: /resource-events/,
    knock: (url) => sendAlert(url, { type: 'alert-notification' }),
    bytes: deliveryBytes,
  },
  'the token endpoint of SAP Alert Notification': {
    path: /oauth\/token/,
    knock: (url) => sendAlert(url, { type: 'alert-notification' }),
    bytes: deliveryBytes,
  },
  'the Job Scheduling Service': {
    path: /scheduler\/jobs/,
    knock: updateJobRun,
    bytes: deliveryBytes,
  },
  'the token endpoint of the Job Scheduling Service': {
    path: /oauth\/token/,
    knock: updateJobRun,
    bytes: deliveryBytes,
  },
};

/** For `localhost`; every HTTPS client of this process trusts it until the test ends. */
export function trustLocalhost(): ServerCertificate {
  const authority = createAuthority('A test');
  const before = globalAgent.options.ca;
  globalAgent.options.ca = authority.certificate;
  onTestFinished(() => {
    if (before === undefined) delete globalAgent.options.ca;
    else globalAgent.options.ca = before;
  });
  return authority.certify('localhost');
}

const documentId = { from: 'chunkMetadata', key: 'docId' };
const orchestration = { backend: 'orchestration', model: 'gpt-4.1-mini', documentId };

let keys = 0;

function toOptions(url: string) {
  keys += 1;
  const serviceKey = {
    clientid: `door-${keys}`,
    clientsecret: 'made-up',
    url,
    serviceurls: { AI_API_URL: url },
  };
  return { serviceKey, concurrency: 8, timeoutMs, attempts: 1 };
}

function createRegistry(url: string) {
  const sources = { loadCorpus: missing, findImportedHits: missing, findAllowances };
  return createRetrieverRegistry(sources, toOptions(url));
}

async function missing(): Promise<undefined> {}

async function findAllowances(): Promise<Allowances> {
  return allowAll('AICORE');
}

async function search(url: string, change: object): Promise<unknown> {
  const filters = [{ id: 'notes', dataRepositoryType: 'vector', dataRepositories: ['*'] }];
  const usual = { resourceGroup: 'default', filters, postProcessing: [], users: {}, depth: 10 };
  const configuration = { ...usual, ...change } as never;
  const retriever = await createRegistry(url).createRetriever(configuration, localTenant);
  return retriever?.retrieve('a private question', { depth: 10, signal: never() });
}

function never(): AbortSignal {
  return new AbortController().signal;
}

async function askModel(url: string): Promise<unknown> {
  const connection = createAiCoreConnection(toOptions(url)).restrictTo(allowAll());
  const deployments = createOrchestrationDeployments(connection.clock);
  const model = createOrchestrationChatModel(connection, deployments);
  const messages = [{ role: 'user', content: 'a private question' }] as const;
  const asked = { resourceGroup: 'default', model: 'gpt-4.1-mini', messages, maxTokens: 10 };
  return model.complete({ ...asked, timeoutMs, signal: never() });
}

async function searchThroughDestination(url: string): Promise<unknown> {
  keys += 1;
  const credentials = {
    clientid: `destinations-${keys}`,
    clientsecret: 'made-up',
    url,
    uri: url,
    identityzone: 'zone',
    tenantid: 'zone',
    xsappname: 'made-up',
  };
  const destination = [{ name: 'd', label: 'destination', tags: ['destination'], credentials }];
  vi.stubEnv('VCAP_SERVICES', JSON.stringify({ destination }));
  return search(url, { backend: 'aicore', documentId, destination: 'AICORE' });
}

async function signIn(url: string): Promise<unknown> {
  const domain = new URL(url).host;
  const binding = { clientId: 'sb-grounding-eval!t1', appName: 'grounding-eval!t1', domain };
  const check = createXsuaaSignIn({ ...binding, onlyZone: undefined, providerZone: undefined });
  return check(`Bearer ${await makeToken()}`, missing);
}

const now = () => new Date().toISOString();
const event = { type: 'gate-failed', about: 'x', severity: 'error', subject: 's', detail: 'd' };
const message = {
  tenant: localTenant,
  id: 'm1',
  kind: 'alert',
  target: 'target',
  payload: JSON.stringify({ ...event, occurredAt: now() }),
  attempts: 1,
  deaths: 0,
  createdAt: now(),
} as const;

function toBinding(url: string) {
  const tokenUrl = `${url}/oauth/token`;
  return { url, credentials: { tokenUrl, clientId: 'client', clientSecret: 'made-up' } };
}

async function sendAlert(url: string, target: AlertTarget): Promise<unknown> {
  const db = openDatabase('sqlite::memory:');
  try {
    await migrate(db);
    const stored = { name: 'target', target, updatedAt: now() };
    await upsertAlertTarget(scopeToTenant(db, localTenant), stored);
    const targetPolicy = { hosts: [], allowLoopback: true };
    const alertNotification = toBinding(url);
    const integrations = { ...noIntegrations, targetPolicy, alertNotification };
    return await createAlertDelivery({ db, integrations, now })(message, never());
  } finally {
    await db.destroy();
  }
}

async function updateJobRun(url: string): Promise<unknown> {
  const update = { jobId: '1', scheduleId: '2', runId: '3', success: true, message: 'done' };
  const deliver = createRunUpdateDelivery(toBinding(url), now);
  const payload = JSON.stringify(update);
  return deliver({ ...message, kind: 'job-run', payload }, never());
}

async function searchOverHttp(url: string): Promise<unknown> {
  const http = createHttpConnection({
    endpoints: new Map(),
    concurrency: 1,
    timeoutMs,
    attempts: 1,
  });
  const configuration: HttpConfiguration = {
    backend: 'http',
    endpoint: 'hostile',
    method: 'GET',
    path: '/find',
    headers: {},
    query: { q: { $value: 'question' } },
    answer: { hits: '/results', documentId: '/id' },
    users: {},
    depth: 10,
  };
  const endpoint = { url, headers: {}, tenants: ['*'] };
  const retriever = createHttpRetriever(configuration, endpoint, http);
  return retriever.retrieve('anything', { depth: 10, signal: never() });
}
