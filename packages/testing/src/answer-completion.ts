import { completionAnswer, completionError } from './completion-answer.ts';
import {
  type CompletionBody,
  fillIn,
  listPlaceholders,
  readCompletionBody,
  readCompletionQuestion,
} from './completion-body.ts';
import { ground } from './ground-completion.ts';
import type { StubAnswer } from './stub-answer.ts';
import type { SearchableRepository } from './stub-repository.ts';
import type { StubRequest } from './stub-request.ts';
import type { ChatMessage } from './chat-message.ts';

/** What a model is told. */
export interface StubPrompt {
  readonly model: string;
  /** With the values filled in, the history first. */
  readonly messages: readonly ChatMessage[];
  /** The values of the placeholders, as they were sent. */
  readonly values: Readonly<Record<string, string>>;
  readonly request: StubRequest;
}

/** The text, or the text with the reason that it ends; `stop` is the usual one. */
export type StubReply = string | { readonly content: string; readonly finishReason: string };

/** Plays the language model. */
export type ReplyToPrompt = (prompt: StubPrompt) => StubReply;

/** Answers a completion as the orchestration service does: ground, fill in the prompt, ask the model. */
export function answerCompletion(
  repositories: readonly SearchableRepository[],
  reply: ReplyToPrompt,
  request: StubRequest,
): StubAnswer {
  const read = readCompletionBody(request.body);
  if ('refusal' in read) return read.refusal;
  const { completion } = read;
  const { grounding, values } = completion;
  if (!grounding) return askModel(completion, values, { reply, request });
  const grounded = ground(repositories, grounding, readCompletionQuestion(request.body) ?? '');
  if ('refusal' in grounded) return grounded.refusal;
  const { result } = grounded;
  // The service looks for placeholders in what was retrieved too.
  const stray = listPlaceholders(result);
  if (stray.length > 0) return refuseTemplate(stray, result);
  const filled = { ...values, [grounding.output]: result };
  return askModel(completion, filled, { reply, request, groundingResult: result });
}

interface Asking {
  readonly reply: ReplyToPrompt;
  readonly request: StubRequest;
  readonly groundingResult?: string;
}

function askModel(
  { model, params, template, history }: CompletionBody,
  values: Readonly<Record<string, string>>,
  { reply, request, groundingResult }: Asking,
): StubAnswer {
  const named = new Set(template.flatMap(({ content }) => listPlaceholders(content)));
  const missing = [...named].filter((name) => !Object.hasOwn(values, name));
  const unused = Object.keys(values).filter((name) => !named.has(name));
  if (missing.length + unused.length > 0) {
    return refuseTemplate([...missing, ...unused], groundingResult);
  }
  const messages = template.map(({ role, content }) => ({
    role,
    content: fillIn(content, values),
  }));
  const said = reply({ model, messages: [...history, ...messages], values, request });
  const { content, finishReason } = cut(said, params['max_tokens']);
  const body = completionAnswer({
    content,
    finishReason,
    groundingResult,
    model,
    messages,
    promptTokens: [...history, ...messages].reduce(
      (sum, { content: text }) => sum + countWords(text),
      0,
    ),
    completionTokens: countWords(content),
  });
  return { status: 200, body };
}

function refuseTemplate(names: readonly string[], groundingResult?: string): StubAnswer {
  const listed = names.map((name) => `'${name}'`).join(', ');
  const message = `parameters without a place in the template, or without a value: [${listed}]`;
  return { status: 400, body: completionError(400, 'Templating Module', message, groundingResult) };
}

/** A token of the stub is a word with the blanks behind it. */
function cut(reply: StubReply, maxTokens: unknown): { content: string; finishReason: string } {
  const { content, finishReason } =
    typeof reply === 'string' ? { content: reply, finishReason: 'stop' } : reply;
  const words = content.match(/\s*\S+/g) ?? [];
  if (typeof maxTokens !== 'number' || words.length <= maxTokens) return { content, finishReason };
  return { content: words.slice(0, maxTokens).join(''), finishReason: 'length' };
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
