import { z } from 'zod';

import { PipelineTrace } from './pipeline-trace.ts';
import { MeasureBounds } from './scorecard.ts';
import { pageOf } from './vocabulary.ts';

export const ResultHit = z.object({
  documentId: z.string().nullable().meta({ description: 'null: the chunk has no readable id.' }),
  rank: z.int().min(1),
  score: z.number().nullable(),
  chunkId: z.string().nullable(),
  grade: z.int().nullable().meta({ description: 'null: unjudged.' }),
  chunks: z
    .array(
      z.object({
        chunkId: z.string().nullable(),
        score: z.number().nullable(),
        scoreSource: z
          .string()
          .meta({ description: 'The field of the response that the score was read from.' }),
        repository: z.string().nullable(),
        snippet: z.string(),
      }),
    )
    .readonly()
    .optional()
    .meta({ description: 'The chunks of this document, best first, if the backend returns any.' }),
});

export const QuestionResult = z
  .object({
    id: z.string(),
    text: z.string(),
    status: z.enum(['scored', 'empty', 'failed', 'unanswerable', 'unlabelled']),
    error: z
      .object({ code: z.string(), detail: z.string(), requestId: z.string().optional() })
      .optional(),
    measures: z.record(z.string(), z.number()).meta({
      description: 'Empty if the question is excluded from the means.',
    }),
    bounds: MeasureBounds,
    leaks: z.array(z.string()).meta({ description: 'Forbidden documents that were returned.' }),
    ranking: z.array(ResultHit),
    pipeline: PipelineTrace.optional().meta({
      description: 'How a pipeline produced the ranking, or how far it got.',
    }),
  })
  .meta({ id: 'QuestionResult' });

export const QuestionResultPage = pageOf(QuestionResult, 'QuestionResultPage');
