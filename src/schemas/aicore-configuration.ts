import { z } from 'zod';

import { compileIdPattern } from '../retrieval/ai-core/id-pattern.ts';
import type { PostProcessing as PostProcessingShape } from '../model/post-processing.ts';
import { checkConfiguration } from './check-configuration.ts';
import { DestinationName, ResourceGroup } from './aicore-access.ts';
import { ChunkPipeline } from './pipeline.ts';
import { Count, Filters, Users } from './search-filter.ts';
import { Depth, Name, nonEmptyText } from './vocabulary.ts';

const Pattern = nonEmptyText(1000)
  .superRefine((pattern, context) => {
    try {
      compileIdPattern(pattern);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  })
  .meta({
    description:
      'A regular expression (RE2) with exactly one capture group, which matches the document id.',
    example: '/([^/]+)$',
  });

const DocumentIdRule = z
  .discriminatedUnion('from', [
    z.strictObject({
      from: z.enum(['chunkMetadata', 'documentMetadata']),
      key: nonEmptyText(1024),
      pattern: Pattern.optional(),
    }),
    z.strictObject({ from: z.literal('documentId'), pattern: Pattern.optional() }),
    z.strictObject({ from: z.literal('chunkId'), pattern: Pattern.optional() }),
  ])
  .meta({
    id: 'DocumentIdRule',
    description: 'Where to find the document id of a chunk.',
    example: { from: 'chunkMetadata', key: 'docId' },
  });

export const DocumentIdRules = z
  .union([DocumentIdRule, z.array(DocumentIdRule).min(1).max(10)])
  .meta({
    description:
      'One rule, or a list of rules tried in order. There is no default: ids assigned by SAP change when documents are indexed again.',
  });

const PostProcessing: z.ZodType<PostProcessingShape> = z
  .looseObject({
    id: nonEmptyText(256).optional(),
    maxChunkCount: Count,
    strategy: z.looseObject({ type: nonEmptyText(128) }),
    get inputs() {
      return z
        .array(z.union([PostProcessing, InputReference]))
        .min(1)
        .max(50);
    },
  })
  .meta({
    id: 'PostProcessing',
    description:
      'An operation of the Retrieval API. Fields not listed here are passed through unchanged.',
  });

const InputReference = z
  .looseObject({ id: nonEmptyText(256) })
  .refine((input) => !('strategy' in input || 'inputs' in input), {
    message: 'an operation needs "strategy" and "inputs"',
    // What follows would take it for an operation.
    abort: true,
  });

const fields = {
  backend: z.literal('aicore'),
  resourceGroup: ResourceGroup,
  destination: DestinationName.optional(),
  filters: Filters.min(1),
  postProcessing: z.array(PostProcessing).max(50).default([]),
  documentId: DocumentIdRules,
  depth: Depth,
  users: Users.default({}),
  pipeline: ChunkPipeline.optional(),
};

export const AiCoreConfiguration = z
  .strictObject(fields)
  .superRefine(checkConfiguration)
  .meta({ title: 'aicore' });

/** As AiCoreConfiguration, with the name it has in one evaluation. */
export const InlineAiCoreConfiguration = z
  .strictObject({ name: Name, ...fields })
  .superRefine(checkConfiguration)
  .meta({ title: 'aicore' });
