import type { ChatMessage } from './chat-message.ts';

/** Completes chats with a language model. */
export interface ChatModel {
  /**
   * Throws RetrieverError: `retriever-timeout` when the answer is late, `retriever-failed` otherwise, with the
   * number of calls made, since they may have to be paid. No text of a message is in the error's.
   */
  readonly complete: (request: ChatRequest) => Promise<ChatCompletion>;
  /** Why no model can be called that way; undefined: no obstacle is known. Sends no request. */
  readonly findObstacle?: ((way: ModelAccess) => string | undefined) | undefined;
}

/** The way to a model. */
export interface ModelAccess {
  readonly resourceGroup: string;
  /** The name of a destination that leads to AI Core; absent: the bound service or the service key. */
  readonly destination?: string | undefined;
}

export interface ChatRequest extends ModelAccess {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  /** How long an attempt may take once it is sent; no retry starts later than that after the first. */
  readonly timeoutMs: number;
  /** The question was aborted: rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface ChatCompletion {
  readonly text: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Calls made, retries included. */
  readonly attempts: number;
  /** Of the calls alone: waiting for a turn is not in it. */
  readonly latencyMs: number;
}
