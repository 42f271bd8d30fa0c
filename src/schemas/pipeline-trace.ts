import { z } from 'zod';

import { pipelineStages } from '../model/pipeline-trace.ts';

const Ranking = z.array(z.string().nullable()).readonly();

/** How a pipeline came from a question to its ranking. */
export const PipelineTrace = z
  .object({
    versions: z
      .array(
        z.object({
          kind: z.enum(['original', 'glossary', 'llm', 'hyde', 'followUp']),
          text: z.string().optional().meta({
            description: 'Absent for the original and for a hypothetical passage.',
          }),
          droppedCodes: z
            .array(z.string())
            .readonly()
            .optional()
            .meta({ description: 'Tokens with a digit that this version lacks.' }),
          ranking: Ranking.nullable().meta({
            description: 'Document ids, null for a chunk without one; null: its search failed.',
          }),
        }),
      )
      .readonly()
      .meta({ description: 'What was searched, the question first.' }),
    fused: Ranking.optional().meta({ description: 'Where several versions were searched.' }),
    candidates: z
      .int()
      .optional()
      .meta({ description: "How many of the ranking's first the re-ranker was given." }),
    reranked: Ranking.optional().meta({ description: 'Those, as the re-ranker ordered them.' }),
    scores: z.array(z.number()).readonly().optional().meta({
      description: "The re-ranker's scores of those, where it gives any.",
    }),
    cut: z
      .object({
        minScore: z.number(),
        below: z.int().meta({ description: 'Candidates that scored less.' }),
        notReranked: z.int().meta({ description: 'Hits behind the candidates.' }),
      })
      .optional()
      .meta({ description: 'Hits that `minScore` left out of the ranking.' }),
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
              omitted: z.int().meta({ description: 'Replies that are not kept for their length.' }),
            })
            .optional()
            .meta({
              description:
                'What the model replied, call by call, at most 2,000 characters each and 8,000 together. Absent with STORE_SNIPPETS=false and for `hyde`.',
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
      .meta({ description: 'Stages that failed or were late, and were left out.' }),
  })
  .meta({ id: 'PipelineTrace' });
