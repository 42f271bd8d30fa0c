import { randomUUID } from 'node:crypto';
import type { ChatMessage } from './chat-message.ts';

/** What `POST …/v2/completion` answers with a 200, as far as SAP's public material shows it. */
export interface CompletionAnswer {
  readonly request_id: string;
  readonly intermediate_results: {
    readonly grounding?: GroundingResult;
    readonly templating: readonly ChatMessage[];
    readonly llm: ModelResult;
  };
  readonly final_result: ModelResult;
}

export interface GroundingResult {
  readonly message: string;
  readonly data: { readonly grounding_query: string; readonly grounding_result: string };
}

export interface ModelResult {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: { readonly role: 'assistant'; readonly content: string };
    readonly finish_reason: string;
  }[];
  readonly usage: {
    readonly completion_tokens: number;
    readonly prompt_tokens: number;
    readonly total_tokens: number;
  };
}

/** The form of the errors of the orchestration service's modules. */
export interface CompletionError {
  readonly error: {
    readonly request_id: string;
    readonly code: number;
    readonly message: string;
    readonly location: string;
    readonly intermediate_results: { readonly grounding?: GroundingResult };
  };
}

export interface CompletionAnswerOptions {
  /** What the model says; nothing unless given. */
  readonly content?: string;
  /** `stop` unless given. */
  readonly finishReason?: string;
  /** The text of `grounding_result`; without it nothing was retrieved. */
  readonly groundingResult?: string | undefined;
  readonly model?: string;
  /** The filled-in prompt. */
  readonly messages?: readonly ChatMessage[];
  readonly promptTokens?: number;
  readonly completionTokens?: number;
}

/** The body of a completion's answer, in the shape of the orchestration service. */
export function completionAnswer(options: CompletionAnswerOptions = {}): CompletionAnswer {
  const { groundingResult, messages = [] } = options;
  const llm = toModelResult(options);
  return {
    request_id: randomUUID(),
    intermediate_results: {
      ...(groundingResult !== undefined && { grounding: toGroundingResult(groundingResult) }),
      templating: messages,
      llm,
    },
    final_result: llm,
  };
}

/** The body of an error of one of the orchestration service's modules. */
export function completionError(
  status: number,
  location: string,
  message: string,
  groundingResult?: string,
): CompletionError {
  const grounding =
    groundingResult === undefined ? {} : { grounding: toGroundingResult(groundingResult) };
  return {
    error: {
      request_id: randomUUID(),
      code: status,
      message: `${status} - ${location}: ${message}`,
      location,
      intermediate_results: grounding,
    },
  };
}

function toGroundingResult(text: string): GroundingResult {
  const data = { grounding_query: 'grounding call', grounding_result: text };
  return { message: 'grounding result', data };
}

function toModelResult({
  content = '',
  finishReason = 'stop',
  model = 'stub-model',
  promptTokens = 0,
  completionTokens = 0,
}: CompletionAnswerOptions): ModelResult {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: 1_775_000_000,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
    usage: {
      completion_tokens: completionTokens,
      prompt_tokens: promptTokens,
      total_tokens: completionTokens + promptTokens,
    },
  };
}
