import { RetrieverError } from '../../src/errors.ts';
import type { ChatModel, ChatRequest } from '../../src/retrieval/chat-model.ts';

export interface ScriptedChat {
  readonly chatModel: ChatModel;
  /** In the order in which they were asked. */
  readonly requests: readonly ChatRequest[];
}

/** A model that answers what it is told to, at 100 prompt tokens and 10 of its own a call. */
export function scriptChat(answer: (request: ChatRequest) => string): ScriptedChat {
  const requests: ChatRequest[] = [];
  return {
    requests,
    chatModel: {
      findObstacle: () => undefined,
      async complete(request) {
        request.signal.throwIfAborted();
        requests.push(request);
        const text = answer(request);
        return { text, promptTokens: 100, completionTokens: 10, attempts: 1, latencyMs: 7 };
      },
    },
  };
}

/** What the user message of a request says. */
export function dataOf({ messages }: ChatRequest): string {
  return messages.at(-1)?.content ?? '';
}

export function failLate(): never {
  throw new RetrieverError('retriever-timeout', 'no answer within 20 s', { attempts: 2 });
}
