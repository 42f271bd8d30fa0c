import { z } from 'zod';

import type { SearchFilter } from '../../../src/model/filters.ts';
import { completionError } from './completion-answer.ts';
import type { StubAnswer } from './stub-answer.ts';
import type { ChatMessage } from './chat-message.ts';

/** What the orchestration service is asked, as far as the stub acts on it. */
export interface CompletionBody {
  readonly model: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly template: readonly ChatMessage[];
  readonly values: Readonly<Record<string, string>>;
  readonly history: readonly ChatMessage[];
  /** Undefined: nothing is to be retrieved. */
  readonly grounding: AskedGrounding | undefined;
}

export interface AskedGrounding {
  readonly filters: readonly SearchFilter[];
  /** Names of the placeholders whose values are searched. */
  readonly input: readonly string[];
  /** Name of the placeholder that gets what was found. */
  readonly output: string;
  readonly metadataParams: readonly string[];
}

/** What the orchestration service would do, or the answer by which it refuses the request. */
export function readCompletionBody(
  body: unknown,
): { readonly completion: CompletionBody } | { readonly refusal: StubAnswer } {
  const parsed = CompletionBodySchema.safeParse(body);
  if (parsed.success) return { completion: parsed.data };
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return {
    refusal: { status: 400, body: completionError(400, 'Request Validation', faults.join('; ')) },
  };
}

/** The question of a completion with grounding, else all that the model is told; undefined: it cannot be read. */
export function readCompletionQuestion(body: unknown): string | undefined {
  const read = readCompletionBody(body);
  if ('refusal' in read) return undefined;
  const { grounding, values, template, history } = read.completion;
  if (grounding) return grounding.input.map((name) => values[name] ?? '').join(' ');
  return [...history, ...template].map(({ content }) => fillIn(content, values)).join('\n');
}

/** Puts values where a text names them, once: what a value holds is no template. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
}

/** The names of the placeholders in a text, each once. */
export function listPlaceholders(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(placeholder), ([, name = '']) => name))];
}

const placeholder = /\{\{\s*\?\s*([\w-]+)\s*\}\}/g;

const Count = z.int().min(1);

const Pair = z.strictObject({ key: z.string(), value: z.array(z.string()) });

const DocumentPair = z
  .strictObject({
    ...Pair.shape,
    select_mode: z.array(z.literal('ignoreIfKeyAbsent')).optional(),
  })
  .transform(({ key, value, select_mode: selectMode }) => ({ key, value, selectMode }));

const GroundingFilter = z
  .strictObject({
    id: z.string().optional(),
    search_config: z
      .strictObject({ max_chunk_count: Count.optional(), max_document_count: Count.optional() })
      .refine((counts) => !(counts.max_chunk_count && counts.max_document_count), {
        message: 'max_chunk_count and max_document_count exclude each other.',
      })
      .optional(),
    data_repositories: z.array(z.string()).optional(),
    data_repository_type: z.enum(['vector', 'help.sap.com']),
    data_repository_metadata: z.array(Pair).optional(),
    document_metadata: z.array(DocumentPair).optional(),
    chunk_metadata: z.array(Pair).optional(),
  })
  .transform((filter): SearchFilter => {
    const { max_chunk_count: maxChunkCount, max_document_count: maxDocumentCount } =
      filter.search_config ?? {};
    return {
      id: filter.id,
      searchConfiguration: { maxChunkCount, maxDocumentCount },
      dataRepositories: filter.data_repositories,
      dataRepositoryType: filter.data_repository_type,
      dataRepositoryMetadata: filter.data_repository_metadata,
      documentMetadata: filter.document_metadata,
      chunkMetadata: filter.chunk_metadata,
    };
  });

const Grounding = z
  .object({
    type: z.literal('document_grounding_service'),
    config: z.strictObject({
      filters: z.array(GroundingFilter).min(1).optional(),
      placeholders: z.strictObject({ input: z.array(z.string()).min(1), output: z.string() }),
      metadata_params: z.array(z.string()).optional(),
    }),
  })
  .transform(({ config }): AskedGrounding => {
    const { filters = [{ dataRepositoryType: 'vector' }], placeholders } = config;
    return { filters, ...placeholders, metadataParams: config.metadata_params ?? [] };
  });

const Message = z.object({ role: z.string(), content: z.string() });

const Modules = z.object({
  prompt_templating: z.object({
    model: z.object({
      name: z.string().min(1),
      params: z.record(z.string(), z.unknown()).default({}),
    }),
    prompt: z.object({ template: z.array(Message).min(1) }),
  }),
  grounding: Grounding.optional(),
});

const CompletionBodySchema = z
  .object({
    config: z.object({ modules: Modules }),
    placeholder_values: z.record(z.string(), z.string()).default({}),
    messages_history: z.array(Message).default([]),
  })
  .transform(({ config, placeholder_values: values, messages_history: history }) => {
    const { prompt_templating: templating, grounding } = config.modules;
    const { name: model, params } = templating.model;
    return { model, params, template: templating.prompt.template, values, history, grounding };
  });
