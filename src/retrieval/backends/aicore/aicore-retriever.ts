import { RetrievalApi, type RetrievalSearchInput } from '@sap-ai-sdk/document-grounding';

import { toRetrieverError } from '../../search-failure.ts';
import { type AiCoreAnswer, callAiCore, sendRequest } from '../../ai-core/call-ai-core.ts';
import { createAiCoreCaller } from '../../ai-core/caller.ts';
import type { AiCoreConnection } from '../../ai-core/connection.ts';
import { explainFailedFilters, explainForeignAnswer } from '../../ai-core/explain-failure.ts';
import { findRequestId } from '../../ai-core/http-error.ts';
import { spareCallers } from '../../ai-core/spare-callers.ts';
import { type Retrieval, type RetrieveOptions, type Retriever } from '../../retriever.ts';
import { truncateHits } from '../../truncate-hits.ts';
import type { AiCoreConfiguration } from '../../../model/search-configuration.ts';
import { createDocumentIdReader } from './document-id-reader.ts';
import { type AnswerReading, readAnswer } from './read-answer.ts';
import { parseSearchAnswer } from './search-answer.ts';
import { buildSearchRequest, countRerankers, type SearchRequest } from './search-request.ts';
import { noCost } from '../../../model/outcome.ts';

/** Searches with the grounding Retrieval API of SAP AI Core. */
export function createAiCoreRetriever(
  configuration: AiCoreConfiguration,
  connection: AiCoreConnection,
): Retriever {
  const readDocumentId = createDocumentIdReader([configuration.documentId].flat());
  const rerankers = countRerankers(configuration.postProcessing);
  const call = createAiCoreCaller(connection, configuration);

  async function search(
    request: SearchRequest,
    { signal }: RetrieveOptions,
    onSend: () => void,
  ): Promise<{ readonly answer: AiCoreAnswer; readonly reading: AnswerReading }> {
    const send = sendRequest(() => createSearch(request, configuration.resourceGroup));
    const asked = { signal, onSend, secrets: [request.body.query] };
    const answer = await call((options) => callAiCore(send, options), asked);
    const parsed = parseSearchAnswer(answer.body);
    if (!parsed) throw explainForeignAnswer(answer);
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
          hits: truncateHits(reading.hits, asked),
          notes: reading.notes,
          cost: {
            ...noCost,
            searches: 1,
            attempts: sent,
            latencyMs,
            pairsReranked,
            modelCalls: rerankers,
          },
        };
      } catch (error) {
        throw toRetrieverError(error, sent);
      }
    },
  };
}

function createSearch({ body }: SearchRequest, resourceGroup: string) {
  return RetrievalApi.search(body as unknown as RetrievalSearchInput, {
    'AI-Resource-Group': resourceGroup,
  });
}
