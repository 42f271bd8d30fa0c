import type nock from 'nock';

import { checkMockOptions } from './check-options.ts';
import { createOrchestrationDeployment, listDeployments } from './deployments.ts';
import { loadNock } from './load-nock.ts';
import type { MockAiCoreOptions, MockedAnswer } from './mock-ai-core-options.ts';
import {
  type MockedRequest,
  type MockedSearchRequest,
  readMockedRequest,
  toSearchRequest,
} from './mocked-request.ts';
import {
  completionPath,
  dataRepositoriesPath,
  deploymentsPath,
  searchPath,
  tokenPath,
} from './read-request.ts';
import { createServiceKey } from './service-key.ts';
import type { StubEndpoint } from './stub-request.ts';
import { createUnsignedJwt } from './token-issuer.ts';

export interface MockedAiCore {
  readonly url: string;
  /** To be set as AICORE_SERVICE_KEY. The same for every mock of one address. */
  readonly serviceKey: string;
  /** All requests that were answered, in the order of their arrival. It goes on growing. */
  readonly requests: readonly MockedRequest[];
  /** The searches among them. */
  readonly searches: readonly MockedSearchRequest[];
  /** How many of the answers to searches were not asked for yet. */
  countUnusedSearches(): number;
  /** Takes the mocks away. `nock.cleanAll()` does it too. */
  remove(): void;
}

const defaultUrl = 'https://ai-core.test';

/** The service key of what `mockAiCore` mocks, for a module that reads the environment when it is imported. */
export function mockServiceKey(url: string = defaultUrl): string {
  // A client of its own for each address, since the SDK remembers tokens by client.
  const client = { clientId: `mock-client of ${url}`, clientSecret: 'mock-secret' };
  return createServiceKey({ ...client, tokenUrl: url, apiUrl: url });
}

/** Answers AI Core's token endpoint, deployments, grounding Retrieval API and orchestration service by nock, which must be installed. */
export function mockAiCore(options: MockAiCoreOptions): MockedAiCore {
  checkMockOptions(options);
  const {
    url = defaultUrl,
    searches = [],
    completions = [],
    token = { body: createToken() },
    deployments = [createOrchestrationDeployment(url)],
    dataRepositories = { body: { resources: [], count: 0 } },
  } = options;
  const network = loadNock();
  const requests: MockedRequest[] = [];
  const asked: MockedSearchRequest[] = [];
  const interceptors: nock.Interceptor[] = [];
  const add = (scope: nock.Scope, endpoint: StubEndpoint, mocked: MockedAnswer) => {
    const { method, path } = addresses[endpoint];
    const interceptor = scope
      .intercept(path, method)
      .query(true)
      .delay(mocked.delayMs ?? 0);
    interceptors.push(interceptor);
    // One parameter only: nock takes a function of two for one with a callback.
    interceptor.reply(async (sent: Request) => {
      const request = await readMockedRequest(endpoint, sent);
      requests.push(request);
      return answer(mocked, request);
    });
  };
  const always = network(url).persist();
  add(always, 'token', token);
  add(always, 'deployments', {
    body: ({ parameters }) => listDeployments(deployments, parameters),
  });
  add(always, 'dataRepositories', dataRepositories);
  for (const completion of completions) add(network(url), 'completion', completion);
  for (const { body, ...others } of searches) {
    add(network(url), 'search', {
      ...others,
      body(request) {
        const search = toSearchRequest(request);
        asked.push(search);
        return typeof body === 'function' ? body(search) : (body ?? '');
      },
    });
  }
  return {
    url,
    serviceKey: mockServiceKey(url),
    requests,
    searches: asked,
    countUnusedSearches: () => searches.length - asked.length,
    remove() {
      for (const interceptor of interceptors) network.removeInterceptor(interceptor);
    },
  };
}

const addresses: Readonly<
  Record<StubEndpoint, { readonly method: string; readonly path: string | RegExp }>
> = {
  token: { method: 'POST', path: tokenPath },
  deployments: { method: 'GET', path: deploymentsPath },
  search: { method: 'POST', path: searchPath },
  dataRepositories: { method: 'GET', path: dataRepositoriesPath },
  completion: { method: 'POST', path: completionPath },
};

function answer(
  { body = '', status = 200, headers = {}, networkError }: MockedAnswer,
  request: MockedRequest,
): [number, string | object, Record<string, string>] {
  const content = typeof body === 'function' ? body(request) : body;
  if (networkError === undefined) return [status, content, { ...headers }];
  throw Object.assign(new Error(`mocked network error ${networkError}`), { code: networkError });
}

function createToken(): object {
  const lifetimeSeconds = 43_199;
  const expiry = Math.floor(Date.now() / 1000) + lifetimeSeconds;
  return {
    access_token: createUnsignedJwt({ zid: 'mock', exp: expiry }),
    token_type: 'bearer',
    expires_in: lifetimeSeconds,
    scope: 'uaa.resource',
    jti: 'mock',
  };
}
