import { toRetrieverError } from '../../search-failure.ts';
import type { AiCoreAnswer } from '../../ai-core/call-ai-core.ts';
import { createAiCoreCaller } from '../../ai-core/caller.ts';
import type { AiCoreConnection } from '../../ai-core/connection.ts';
import { type AdviseOnStatus, explainForeignAnswer } from '../../ai-core/explain-failure.ts';
import type { FoundChunk } from '../../ai-core/found-chunk.ts';
import { noteChunks } from '../../ai-core/note-chunks.ts';
import { complete, type Completion } from '../../ai-core/orchestration/completion.ts';
import type { OrchestrationDeployments } from '../../ai-core/orchestration/deployments.ts';
import { readUsage } from '../../ai-core/orchestration/read-usage.ts';
import { rankDocuments } from '../../ai-core/rank-documents.ts';
import { spareCallers } from '../../ai-core/spare-callers.ts';
import { type Retrieval, type RetrieveOptions, type Retriever } from '../../retriever.ts';
import { truncateHits } from '../../truncate-hits.ts';
import type { OrchestrationConfiguration } from '../../../model/search-configuration.ts';
import { buildGroundingRequest } from './grounding-request.ts';
import { createGroundedIdReader, readGrounding } from './read-grounding.ts';
import { noCost } from '../../../model/outcome.ts';

/** Searches with the grounding module of the orchestration service. */
export function createOrchestrationRetriever(
  configuration: OrchestrationConfiguration,
  connection: AiCoreConnection,
  deployments: OrchestrationDeployments,
): Retriever {
  const readDocumentId = createGroundedIdReader([configuration.documentId].flat());
  const call = createAiCoreCaller(connection, configuration, { advise: adviseOnStatus });

  async function search(
    request: Completion,
    { signal }: RetrieveOptions,
    onSend: () => void,
  ): Promise<{ readonly answer: AiCoreAnswer; readonly chunks: readonly FoundChunk[] }> {
    const asked = { signal, onSend, secrets: Object.values(request.values) };
    const answer = await call((options) => complete(request, deployments, options), asked);
    const chunks = readGrounding(answer.body, readDocumentId);
    if (!chunks) throw explainForeignAnswer(answer);
    return { answer, chunks };
  }

  return {
    spareCallers,
    async retrieve(question, asked): Promise<Retrieval> {
      asked.signal.throwIfAborted();
      const request = buildGroundingRequest(configuration, question, asked.user);
      let sent = 0;
      const countSent = () => (sent += 1);
      try {
        const { answer, chunks } = await search(request, asked, countSent);
        return {
          hits: truncateHits(rankDocuments(chunks), asked),
          notes: {
            filters: [{ id: null, chunks: chunks.length }],
            ...noteChunks(chunks),
            unanswered: [],
          },
          cost: {
            ...noCost,
            searches: 1,
            attempts: sent,
            latencyMs: answer.latencyMs,
            modelCalls: 1,
            ...readUsage(answer.body),
          },
        };
      } catch (error) {
        throw toRetrieverError(error, sent);
      }
    },
  };
}

const adviseOnStatus: AdviseOnStatus = (status, resourceGroup) => {
  if (status === 400 || status === 422) {
    return 'The orchestration service rejected this search. Check the name of the model, whether the metadata keys of the filters can be filtered by, and the counts; a retrieved text that contains template placeholders like {{?x}} is rejected too.';
  }
  if (status === 404) {
    return `The orchestration service of resource group '${resourceGroup}' was not found. Check its deployment, and that the data repositories exist.`;
  }
  return undefined;
};
