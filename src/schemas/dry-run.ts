import { z } from 'zod';

import { PipelineTrace } from './pipeline-trace.ts';
import { ResultHit } from './question-result.ts';
import { Warning } from './vocabulary.ts';

const estimate = {
  searches: z.int().meta({ description: 'Without retries; for a pipeline, an upper bound.' }),
  rerankerCalls: z.int(),
  modelCalls: z.int().meta({
    description: 'Calls of language models, without retries; for a pipeline, an upper bound.',
  }),
  maxChunks: z
    .int()
    .nullable()
    .meta({ description: 'The most hits that AI Core can return; null: a filter has no count.' }),
};

const Reading = z.object({
  filters: z
    .array(z.object({ id: z.string().nullable(), chunks: z.int() }))
    .meta({ description: 'The results of each filter or operation.' }),
  scoreSources: z.array(z.string()),
  keys: z.array(z.string()).meta({ description: 'Metadata keys of the ranked chunks.' }),
  unmappedKeys: z
    .array(z.string())
    .meta({ description: 'Metadata keys of chunks without a readable document id.' }),
  severalValues: z.int(),
  sharedIds: z.array(z.string()),
  unanswered: z.array(z.string()),
});

const Probe = z.object({
  configuration: z.string(),
  question: z.object({ id: z.string(), text: z.string() }),
  error: z
    .object({ code: z.string(), detail: z.string(), requestId: z.string().optional() })
    .nullable(),
  attempts: z.int(),
  latencyMs: z.number(),
  reading: Reading.nullable().meta({ description: 'How the response was read.' }),
  documentIds: z.array(z.string()),
  ranking: z.array(ResultHit),
  pipeline: PipelineTrace.optional().meta({
    description: 'How a pipeline produced the ranking, or how far it got.',
  }),
  warnings: z.array(Warning),
});

export const DryRun = z
  .object({
    questionSet: z.object({ name: z.string(), version: z.int(), contentHash: z.string() }),
    questions: z.int(),
    measures: z.array(z.string()),
    configurations: z.array(
      z.object({
        configuration: z.string(),
        backend: z.string(),
        passages: z.int().optional().meta({
          description:
            'Number of passages of the corpus with this chunking; only for the `local` backend.',
        }),
        ...estimate,
        warnings: z.array(Warning),
      }),
    ),
    total: z.object(estimate),
    probes: z.array(Probe).nullable().meta({
      description:
        'The first question, as searched by each configuration; null: nothing was searched.',
    }),
  })
  .meta({ id: 'DryRun' });
export type DryRun = z.infer<typeof DryRun>;
