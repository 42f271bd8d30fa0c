import type { HttpConfiguration, JsonValue } from '../../../model/http-search.ts';
import { noCost } from '../../../model/outcome.ts';
import { SearchFailure, toRetrieverError } from '../../search-failure.ts';
import type { FoundChunk } from '../../ai-core/found-chunk.ts';
import { createCircuitBreaker } from '../../resilience/circuit-breaker.ts';
import { callWithRetries } from '../../resilience/retry.ts';
import { maxRetryAfterMs } from '../../resilience/retry-after.ts';
import { spareCallers } from '../../ai-core/spare-callers.ts';
import { rankInOrder } from '../../ai-core/rank-documents.ts';
import type { Retrieval, RetrieveOptions, Retriever } from '../../retriever.ts';
import { findUser } from '../../find-user.ts';
import { truncateHits } from '../../truncate-hits.ts';
import { toRequestUrl, type HttpEndpoint } from '../../http-endpoints.ts';
import { fillTemplate, type TemplateValues } from './fill-template.ts';
import type { HttpConnection } from './http-connection.ts';
import { createHitReader } from './read-hits.ts';
import { sendSearch, type HttpSearch } from './send-search.ts';

/** However many pages a service returns of a few hits each. */
const maxPages = 50;

/** Searches with a service that answers over HTTP. */
export function createHttpRetriever(
  configuration: HttpConfiguration,
  endpoint: HttpEndpoint,
  connection: HttpConnection,
): Retriever {
  const { clock, timeoutMs, attempts } = connection;
  const readHits = createHitReader(configuration.answer, configuration.endpoint);
  const gate = connection.findGate(configuration.endpoint);
  const stop = createCircuitBreaker();
  const totalMs = attempts * timeoutMs + maxRetryAfterMs;

  async function searchPage(
    search: HttpSearch,
    signal: AbortSignal,
    onSend: () => void,
  ): Promise<{ readonly chunks: readonly FoundChunk[]; readonly latencyMs: number }> {
    const send = { gate, clock, timeoutMs, signal, onSend };
    const retries = { attempts, totalMs, pausedUntil: gate.pausedUntil, stop, clock, signal };
    const { body, latencyMs } = await callWithRetries(() => sendSearch(search, send), retries);
    const chunks = readHits(body);
    if (chunks) return { chunks, latencyMs };
    throw new SearchFailure(
      'answer',
      `Endpoint '${configuration.endpoint}' responded with success, but there is no list of hits at ${namePlace(configuration)}`,
    );
  }

  return {
    spareCallers,
    async retrieve(question, asked): Promise<Retrieval> {
      const { depth, signal } = asked;
      signal.throwIfAborted();
      const size = Math.min(configuration.pageSize ?? depth, depth);
      const found: FoundChunk[] = [];
      let [sent, searches, latencyMs] = [0, 0, 0];
      try {
        for (let page = 1; page <= maxPages; page += 1) {
          const values = toValues(configuration, question, { asked, page, size });
          const search = toSearch(configuration, endpoint, values);
          const answered = await searchPage(search, signal, () => (sent += 1));
          searches += 1;
          latencyMs += answered.latencyMs;
          found.push(...answered.chunks);
          const isLast = configuration.pageSize === undefined || answered.chunks.length < size;
          if (isLast || rankInOrder(found).length >= depth) break;
        }
      } catch (error) {
        throw toRetrieverError(error, sent);
      }
      const hits = truncateHits(rankInOrder(found), asked);
      return { hits, cost: { ...noCost, searches, attempts: sent, latencyMs } };
    },
  };
}

function toValues(
  { users, filters }: HttpConfiguration,
  question: string,
  {
    asked: { depth, user, history },
    page,
    size,
  }: { readonly asked: RetrieveOptions; readonly page: number; readonly size: number },
): TemplateValues {
  return {
    question,
    history: history?.map(({ role, text }) => ({ role, text })),
    depth,
    size,
    offset: (page - 1) * size,
    page,
    filters,
    user: user === undefined ? undefined : findUser(users, user),
  };
}

function toSearch(
  { endpoint: name, method, path, query, headers, body }: HttpConfiguration,
  endpoint: HttpEndpoint,
  values: TemplateValues,
): HttpSearch {
  const filled = fillTemplate(query, values) as Readonly<Record<string, JsonValue>>;
  const parameters = Object.fromEntries(
    Object.entries(filled).map(([key, value]) => [key, toParameter(value)]),
  );
  const sent = body === undefined ? undefined : fillTemplate(body, values);
  return {
    endpoint: name,
    method,
    url: toRequestUrl(endpoint, path, parameters),
    headers: {
      accept: 'application/json',
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      ...endpoint.headers,
    },
    body: sent === undefined ? undefined : JSON.stringify(sent),
  };
}

function toParameter(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function namePlace({ answer: { hits } }: HttpConfiguration): string {
  return typeof hits === 'string'
    ? `"${hits}"`
    : `{ "jmespath": ${JSON.stringify(hits.jmespath)} }`;
}
