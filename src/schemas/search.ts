import { z } from 'zod';

import type { SearchAnswer } from '../evaluation/planning/search-once.ts';
import { PipelineTrace } from './pipeline-trace.ts';
import { ResultHit } from './question-result.ts';
import { QuestionInput } from './question-set.ts';
import { InlineSearchConfiguration } from './search-configuration.ts';
import { Name } from './vocabulary.ts';

const { text, user, history } = QuestionInput.shape;

export const SearchInput = z
  .strictObject({
    configuration: z.union([Name, InlineSearchConfiguration]).meta({
      description: 'The name of a stored configuration, or a configuration.',
    }),
    text: text.meta({ description: 'What is searched.' }),
    user,
    history,
    depth: z.int().min(1).max(1000).optional().meta({
      description: 'How many documents are returned. Default: the depth of the configuration.',
    }),
  })
  .meta({
    id: 'SearchInput',
    example: {
      configuration: { name: 'hybrid', backend: 'local', corpus: 'sample', method: 'hybrid' },
      text: 'supplier sent less than it billed',
      depth: 10,
    },
  });

const Rank = z.int().min(1).nullable();

const FoundHit = ResultHit.omit({ grade: true }).extend({
  title: z.string().nullable().meta({ description: 'null: the backend keeps no titles.' }),
  snippet: z.string().nullable().meta({ description: 'The start of the chunk that was found.' }),
  move: z
    .object({
      versions: z
        .array(Rank)
        .meta({ description: 'Its rank for each of `pipeline.versions`; null: not found.' }),
      fused: Rank.optional().meta({ description: 'Its rank after the fusion.' }),
      reranked: Rank.optional().meta({
        description: 'Its rank after re-ranking; null: it was no candidate.',
      }),
    })
    .optional()
    .meta({ description: 'Where the document came from, if a pipeline made the ranking.' }),
});

export const SearchResult = z
  .object({
    configuration: z.string(),
    latencyMs: z.number(),
    searches: z.int(),
    attempts: z.int(),
    modelCalls: z.int(),
    ranking: z.array(FoundHit),
    pipeline: PipelineTrace.optional().meta({
      description: 'The versions of the question, and what each stage did and cost.',
    }),
  })
  .meta({ id: 'SearchResult' });

export function toSearchResult({
  configuration,
  cost: { latencyMs, searches, attempts, modelCalls },
  ranking,
  pipeline,
}: SearchAnswer): z.infer<typeof SearchResult> {
  return {
    configuration,
    latencyMs,
    searches,
    attempts,
    modelCalls,
    ranking: ranking as z.infer<typeof FoundHit>[],
    ...(pipeline && { pipeline }),
  };
}
