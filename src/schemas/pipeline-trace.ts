import { z } from 'zod';

import { pipelineStages } from '../model/pipeline-trace.ts';

const Ranking = z.array(z.string().nullable()).readonly();

/** How a pipeline turned a question into a ranking. */
export const PipelineTrace = z
  .object({
    versions: z
      .array(
        z.object({
          kind: z.enum(['original', 'glossary', 'llm', 'hyde', 'followUp']),
          text: z.string().optional().meta({
            description: 'Absent for the original question and for a hypothetical passage.',
          }),
          droppedCodes: z
            .array(z.string())
            .readonly()
            .optional()
            .meta({ description: 'Tokens with a digit that are missing in this version.' }),
          ranking: Ranking.nullable().meta({
            description:
              'Document ids, with null for a chunk without one; null: the search failed.',
          }),
        }),
      )
      .readonly()
      .meta({ description: 'The searched versions, starting with the question.' }),
    fused: Ranking.optional().meta({ description: 'Present if several versions were searched.' }),
    candidates: z.int().optional().meta({
      description: 'How many documents from the top of the ranking the re-ranker received.',
    }),
    reranked: Ranking.optional().meta({
      description: 'The same documents, as ordered by the re-ranker.',
    }),
    scores: z.array(z.number()).readonly().optional().meta({
      description: 'Their scores from the re-ranker, if it returns any.',
    }),
    cut: z
      .object({
        minScore: z.number(),
        below: z.int().meta({ description: 'Candidates below `minScore`.' }),
        notReranked: z.int().meta({ description: 'Hits after the candidates.' }),
      })
      .optional()
      .meta({ description: 'Hits that `minScore` removed from the ranking.' }),
    stages: z
      .array(
        z.object({
          stage: z.enum(pipelineStages),
          type: z.string(),
          latencyMs: z.number(),
          searches: z.int(),
          pairsReranked: z.int(),
          modelCalls: z.int(),
          promptTokens: z.int(),
          completionTokens: z.int(),
          promptHash: z.string().optional(),
          replies: z
            .object({
              texts: z.array(z.string()).readonly(),
              omitted: z
                .int()
                .meta({ description: 'Number of replies that were too long to keep.' }),
            })
            .optional()
            .meta({
              description:
                'Replies of the model, one per call, at most 2,000 characters each and 8,000 in total. Absent with STORE_SNIPPETS=false and for `hyde`.',
            }),
        }),
      )
      .readonly(),
    fallbacks: z
      .array(
        z.object({
          stage: z.enum(pipelineStages),
          type: z.string(),
          code: z.string(),
          detail: z.string(),
        }),
      )
      .readonly()
      .meta({ description: 'Stages that failed or timed out and were skipped.' }),
  })
  .meta({ id: 'PipelineTrace' });
