import { answerCompletion, type ReplyToPrompt } from './answer-completion.ts';
import { answerSearch } from './answer-search.ts';
import { listDataRepositories } from './data-repositories.ts';
import { type Deployment, listDeployments } from './deployments.ts';
import { expiredTokenError } from './faults.ts';
import { flatError, nestedError } from './sap-errors.ts';
import { completionPath } from './read-request.ts';
import { readSearchBody } from './search-body.ts';
import type { StubAnswer } from './stub-answer.ts';
import type { SearchableRepository } from './stub-repository.ts';
import type { StubRequest } from './stub-request.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** What a stub knows. */
export interface StubService {
  readonly tokens: TokenIssuer;
  readonly deployments: readonly Deployment[];
  readonly resourceGroups: readonly string[];
  readonly repositories: readonly SearchableRepository[];
  readonly reply: ReplyToPrompt;
}

/** Answers a request that nothing goes wrong with, as AI Core would. */
export function answerRequest(service: StubService, request: StubRequest): StubAnswer {
  if (request.endpoint === 'token') return answerToken(service.tokens, request);
  return refuse(service, request) ?? answerApi(service, request);
}

function answerToken(tokens: TokenIssuer, request: StubRequest): StubAnswer {
  const { clientId, clientSecret } = readClient(request);
  const body = tokens.issue(clientId, clientSecret);
  if (body) return { status: 200, body };
  const refusal = { error: 'invalid_client', error_description: 'The client is not known.' };
  return { status: 401, body: refusal };
}

/** The client's name and secret, from the form that was posted or from the `Authorization` header. */
function readClient({ headers, body }: StubRequest): {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
} {
  const [, basic] = /^basic (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (basic !== undefined) {
    const [, clientId, clientSecret] = /^([^:]*):(.*)$/s.exec(atob(basic)) ?? [];
    return { clientId, clientSecret };
  }
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  return {
    clientId: form.get('client_id') ?? undefined,
    clientSecret: form.get('client_secret') ?? undefined,
  };
}

function refuse(service: StubService, request: StubRequest): StubAnswer | undefined {
  if (!service.tokens.accepts(request.headers.authorization)) {
    return { status: 401, body: expiredTokenError };
  }
  const { resourceGroup } = request;
  if (resourceGroup === undefined) {
    return { status: 400, body: flatError(400, 'The header AI-Resource-Group is missing.') };
  }
  if (service.resourceGroups.includes(resourceGroup)) return undefined;
  return {
    status: 404,
    body: flatError(404, `The resource group '${resourceGroup}' is not known.`),
  };
}

function answerApi(service: StubService, request: StubRequest): StubAnswer {
  const { endpoint, resourceGroup = '', query, path, body } = request;
  const repositories = service.repositories.filter(
    ({ resourceGroups }) => resourceGroups?.includes(resourceGroup) ?? true,
  );
  if (endpoint === 'deployments') {
    return { status: 200, body: listDeployments(service.deployments, query) };
  }
  if (endpoint === 'dataRepositories') {
    return { status: 200, body: listDataRepositories(repositories, query) };
  }
  if (endpoint === 'completion') return answerDeployed(service, repositories, request);
  if (endpoint !== 'search') return { status: 404, body: nestedError(404, path) };
  const read = readSearchBody(body, path);
  if ('refusal' in read) return read.refusal;
  return { status: 200, body: answerSearch(repositories, read.search) };
}

function answerDeployed(
  { deployments, reply }: StubService,
  repositories: readonly SearchableRepository[],
  request: StubRequest,
): StubAnswer {
  const [, id] = completionPath.exec(request.path) ?? [];
  const isRunning = deployments.some(
    (deployment) => deployment.id === id && deployment.status === 'RUNNING',
  );
  if (isRunning) return answerCompletion(repositories, reply, request);
  return { status: 404, body: flatError(404, `The deployment '${id}' is not known.`) };
}
