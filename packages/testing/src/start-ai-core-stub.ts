import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AiCoreStubOptions } from './ai-core-stub-options.ts';
import { checkStubOptions } from './check-options.ts';
import { createOrchestrationDeployment } from './deployments.ts';
import { serveRequests } from './serve-requests.ts';
import { createServiceKey } from './service-key.ts';
import type { StubCounters } from './stub-counters.ts';
import { buildRepository, type SearchableRepository } from './stub-repository.ts';
import type { RecordedRequest } from './stub-request.ts';
import { createTokenIssuer } from './token-issuer.ts';

export interface AiCoreStub {
  /** The address of the token endpoint and of the API, without a path. */
  readonly url: string;
  /** To be set as AICORE_SERVICE_KEY. */
  readonly serviceKey: string;
  /** All requests in the order of their arrival. It goes on growing. */
  readonly requests: readonly RecordedRequest[];
  readonly counters: StubCounters;
  /** Makes all tokens worthless that were issued so far. */
  revokeTokens(): void;
  /** Ends all connections and the server. */
  close(): Promise<void>;
}

/** Starts an HTTP server on 127.0.0.1 that behaves as AI Core's token endpoint, grounding Retrieval API and orchestration service. */
export async function startAiCoreStub(options: AiCoreStubOptions = {}): Promise<AiCoreStub> {
  checkStubOptions(options);
  const client = { clientId: `stub-${randomUUID()}`, clientSecret: randomUUID() };
  const lifetimeSeconds = options.tokenLifetimeSeconds ?? 43_199;
  const tokens = createTokenIssuer({ ...client, lifetimeSeconds, now: options.now ?? Date.now });
  const repositories = await buildRepositories(options);
  const server = createServer({ keepAliveTimeout: 90_000 });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const {
    deployments = [createOrchestrationDeployment(url)],
    resourceGroups = ['default'],
    reply = () => 'A reply of the stub.',
  } = options;
  const service = { tokens, deployments, resourceGroups, repositories, reply };
  const { requests, counters, stop } = serveRequests(server, service, options);
  return {
    url,
    serviceKey: createServiceKey({ ...client, tokenUrl: url, apiUrl: url }),
    requests,
    counters,
    revokeTokens: () => tokens.revokeAll(),
    async close() {
      if (!server.listening) return;
      stop();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function buildRepositories({
  corpus,
  repositories = [],
  lexicon = { stopwords: [], concepts: {} },
  chunking = { strategy: 'sections' },
  documentIdKey = 'docId',
  hasDocumentId = () => true,
}: AiCoreStubOptions): Promise<readonly SearchableRepository[]> {
  const all = corpus ? [{ title: 'corpus', documents: corpus }, ...repositories] : repositories;
  const options = { lexicon, chunking, documentIdKey, hasDocumentId };
  return Promise.all(all.map((repository) => buildRepository(repository, options)));
}
