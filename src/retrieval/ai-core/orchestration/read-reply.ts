import { z } from 'zod';

import type { ChatCompletion } from '../../chat-model.ts';
import { SearchFailure } from '../../search-failure.ts';
import type { AiCoreAnswer } from '../call-ai-core.ts';
import { explainForeignAnswer } from '../explain-failure.ts';
import { findRequestId } from '../http-error.ts';

/** What the model said. Throws SearchFailure when it said nothing, or its words were held back. */
export function readReply(
  answer: AiCoreAnswer,
): Pick<ChatCompletion, 'text' | 'promptTokens' | 'completionTokens'> {
  const { data } = Answer.safeParse(answer.body);
  if (!data) throw explainForeignAnswer(answer, "a model's reply");
  const { choices, usage } = data.final_result;
  const { message, finish_reason: reason } = choices[0];
  const text = message.content ?? '';
  const refusal = findRefusal(text, reason, message.refusal ?? undefined);
  if (refusal !== undefined) {
    const requestId = data.request_id ?? findRequestId(answer.headers);
    throw new SearchFailure('answer', refusal, { requestId });
  }
  return { text, promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
}

/** Never the model's own words, which may repeat its prompt. */
function findRefusal(text: string, reason: string | undefined, refusal: string | undefined) {
  if (reason === 'content_filter') return 'A content filter blocked the reply of the model';
  if (refusal !== undefined) return 'The model refused to answer';
  if (text.trim() !== '') return undefined;
  const cut = reason === 'length' ? ': it reached its token limit before writing anything' : '';
  return `The model's reply is empty${cut}`;
}

const Choice = z.object({
  message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
  finish_reason: z.string().optional().catch(undefined),
});

const Answer = z.object({
  request_id: z.string().optional().catch(undefined),
  final_result: z.object({
    choices: z.tuple([Choice], Choice),
    usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }),
  }),
});
