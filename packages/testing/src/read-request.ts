import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { readCompletionQuestion } from './completion-body.ts';
import type { StubEndpoint, StubRequest } from './stub-request.ts';

/** What can be read off a request without knowing any other. */
export type ReadRequest = Omit<StubRequest, 'attempt' | 'socket'>;

export const searchPath = '/v2/lm/document-grounding/retrieval/search';
export const dataRepositoriesPath = '/v2/lm/document-grounding/retrieval/dataRepositories';
export const deploymentsPath = '/v2/lm/deployments';
export const tokenPath = '/oauth/token';
/** Of any deployment. */
export const completionPath = /^\/v2\/inference\/deployments\/([^/]+)\/v2\/completion$/;

const endpoints: ReadonlyMap<string, StubEndpoint> = new Map([
  [`POST ${tokenPath}`, 'token'],
  [`GET ${deploymentsPath}`, 'deployments'],
  [`POST ${searchPath}`, 'search'],
  [`GET ${dataRepositoriesPath}`, 'dataRepositories'],
]);

/** Takes in a whole request. */
export async function readRequest(message: IncomingMessage): Promise<ReadRequest> {
  const arrivedAt = performance.now();
  const { method = '', url = '/', headers } = message;
  const { pathname: path, searchParams } = new URL(url, 'http://stub');
  const endpoint = findEndpoint(method, path);
  const body = parseBody(await text(message));
  const resourceGroup = headers['ai-resource-group'];
  return {
    endpoint,
    method,
    path,
    query: Object.fromEntries(searchParams),
    headers,
    resourceGroup: typeof resourceGroup === 'string' ? resourceGroup : undefined,
    body,
    question: readQuestion(endpoint, body),
    arrivedAt,
  };
}

function findEndpoint(method: string, path: string): StubEndpoint | 'unknown' {
  if (method === 'POST' && completionPath.test(path)) return 'completion';
  return endpoints.get(`${method} ${path}`) ?? 'unknown';
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function readQuestion(endpoint: StubEndpoint | 'unknown', body: unknown): string | undefined {
  if (endpoint === 'completion') return readCompletionQuestion(body) ?? '';
  if (endpoint !== 'search') return undefined;
  const isSearch = typeof body === 'object' && body !== null && 'query' in body;
  return isSearch && typeof body.query === 'string' ? body.query : '';
}
