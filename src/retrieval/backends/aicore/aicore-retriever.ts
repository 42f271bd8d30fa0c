import { RetrievalApi, type RetrievalSearchInput } from '@sap-ai-sdk/document-grounding';

import { RetrieverError } from '../../../errors.ts';
import type { Retrieval, RetrieveOptions, Retriever } from '../../retriever.ts';
import type { AiCoreConfiguration } from '../../search-configuration.ts';
import { AiCoreFailure } from './ai-core-failure.ts';
import { type AiCoreAnswer, callAiCore, type CallOptions } from './call-ai-core.ts';
import { createDocumentIdReader } from './document-id-reader.ts';
import { explainFailedFilters, explainForeignAnswer } from './explain-failure.ts';
import { findRequestId } from './http-error.ts';
import { type AnswerReading, readAnswer } from './read-answer.ts';
import type { GroupGate } from './resilience/group-gate.ts';
import { createRefusalStop } from './resilience/refusal-stop.ts';
import { callWithRetries } from './resilience/retry.ts';
import { longestRetryAfterMs } from './resilience/retry-after.ts';
import { parseSearchAnswer } from './search-answer.ts';
import { buildSearchRequest, countRerankers, type SearchRequest } from './search-request.ts';

export interface AiCoreSearchOptions extends Pick<CallOptions, 'access' | 'clock' | 'timeoutMs'> {
  /** Shared by everything that searches the same resource group. */
  readonly gate: GroupGate;
  readonly attempts: number;
}

/** Callers beyond those at the gate: they prepare the next searches and read the last answers. */
const spareCallers = 4;

/** Searches with the grounding Retrieval API of SAP AI Core. */
export function createAiCoreRetriever(
  configuration: AiCoreConfiguration,
  options: AiCoreSearchOptions,
): Retriever {
  const readDocumentId = createDocumentIdReader([configuration.documentId].flat());
  const rerankers = countRerankers(configuration);
  const stop = createRefusalStop();
  const { attempts, timeoutMs, gate, clock } = options;
  const totalMs = attempts * timeoutMs + longestRetryAfterMs;

  async function search(
    request: SearchRequest,
    { signal }: RetrieveOptions,
    onSend: () => void,
  ): Promise<{ readonly answer: AiCoreAnswer; readonly reading: AnswerReading }> {
    const { resourceGroup, destination } = configuration;
    const secrets = [request.body.query];
    const call = { ...options, resourceGroup, destination, signal, secrets, onSend };
    const send = () => callAiCore(() => createSearch(request, resourceGroup), call);
    const { pausedUntil } = gate;
    const retries = { attempts, totalMs, pausedUntil, stop, clock, signal };
    const answer = await callWithRetries(send, retries);
    const parsed = parseSearchAnswer(answer.body);
    if (!parsed) throw explainForeignAnswer(answer.body, answer.headers, answer.address);
    const reading = readAnswer(parsed, request.sent, readDocumentId);
    if (reading.failures.length === 0) return { answer, reading };
    const requestId = findRequestId(answer.headers);
    throw explainFailedFilters(reading.failures, requestId, answer.address);
  }

  return {
    spareCallers,
    async retrieve(question, asked): Promise<Retrieval> {
      asked.signal.throwIfAborted();
      const request = buildSearchRequest(configuration, question, asked.user);
      let sent = 0;
      const countSent = () => (sent += 1);
      try {
        const { answer, reading } = await search(request, asked, countSent);
        const pairsReranked = rerankers > 0 ? reading.foundByFilters : 0;
        const { latencyMs } = answer;
        return {
          hits: reading.hits.slice(0, asked.depth),
          notes: reading.notes,
          cost: { attempts: sent, latencyMs, pairsReranked, modelCalls: rerankers },
        };
      } catch (error) {
        throw error instanceof AiCoreFailure ? toRetrieverError(error, sent) : error;
      }
    },
  };
}

function createSearch({ body }: SearchRequest, resourceGroup: string) {
  return RetrievalApi.search(body as unknown as RetrievalSearchInput, {
    'AI-Resource-Group': resourceGroup,
  });
}

function toRetrieverError(failure: AiCoreFailure, attempts: number): RetrieverError {
  const code = failure.kind === 'timeout' ? 'retriever-timeout' : 'retriever-failed';
  const { message, requestId } = failure;
  return new RetrieverError(code, message, { cause: failure, attempts, requestId });
}
