import type { OrchestrationModuleConfig } from '@sap-ai-sdk/orchestration';

import type { ChatCompletion, ChatModel, ChatRequest } from '../../chat-model.ts';
import { toRetrieverError } from '../../search-failure.ts';
import { type AiCoreCaller, createAiCoreCaller } from '../caller.ts';
import type { AiCoreConnection } from '../connection.ts';
import type { AdviseOnStatus } from '../explain-failure.ts';
import { complete, type Completion } from './completion.ts';
import type { OrchestrationDeployments } from './deployments.ts';
import { readReply } from './read-reply.ts';

/**
 * The language models of SAP AI Core's orchestration service. Calls go through the gate of their resource
 * group, which searches share. A model that refuses five calls in the same way is not called any more, so
 * make one of these for each use.
 */
export function createOrchestrationChatModel(
  connection: AiCoreConnection,
  deployments: OrchestrationDeployments,
): ChatModel {
  const callers = new Map<string, AiCoreCaller>();

  function findCaller({ destination, resourceGroup, model }: ChatRequest): AiCoreCaller {
    const key = JSON.stringify([destination, resourceGroup, model]);
    const way = { destination, resourceGroup };
    const caller = callers.get(key) ?? createAiCoreCaller(connection, way, words);
    callers.set(key, caller);
    return caller;
  }

  return {
    findObstacle: (way) => connection.findObstacle(way),
    async complete(request): Promise<ChatCompletion> {
      const { signal, timeoutMs } = request;
      signal.throwIfAborted();
      const completion = toCompletion(request);
      let sent = 0;
      const asked = {
        signal,
        secrets: Object.values(completion.values),
        onSend: () => void (sent += 1),
        limits: { timeoutMs, totalMs: timeoutMs },
      };
      try {
        const call = findCaller(request);
        const answer = await call((options) => complete(completion, deployments, options), asked);
        return { ...readReply(answer), attempts: sent, latencyMs: answer.latencyMs };
      } catch (error) {
        throw toRetrieverError(error, sent);
      }
    },
  };
}

/** What is said goes out as values of placeholders, so that nothing in it is taken for one. */
function toCompletion({ model, messages, maxTokens, temperature }: ChatRequest): Completion {
  const params = { max_tokens: maxTokens, ...(temperature !== undefined && { temperature }) };
  const template = messages.map(({ role }, index) => ({
    role,
    content: `{{?${nameValue(index)}}}`,
  }));
  const modules: OrchestrationModuleConfig = {
    promptTemplating: { model: { name: model, params }, prompt: { template } },
  };
  const values = messages.map(({ content }, index) => [nameValue(index), content] as const);
  return { modules, values: Object.fromEntries(values) };
}

function nameValue(index: number): string {
  return `message${index + 1}`;
}

const adviseOnStatus: AdviseOnStatus = (status, resourceGroup) => {
  if (status === 400 || status === 422) {
    return 'The orchestration service rejected this prompt. Check the name and the limits of the model, and whether a content filter blocked the text.';
  }
  if (status === 403) {
    return `AI Core does not allow this call. Check that resource group '${resourceGroup}' exists for these credentials, and that they may use the model.`;
  }
  if (status === 404) {
    return `The orchestration service of resource group '${resourceGroup}' was not found. Check its deployment, and the name of the model.`;
  }
  return undefined;
};

const words = { advise: adviseOnStatus, timeoutSetting: 'the "timeoutMs" of the stage' };
