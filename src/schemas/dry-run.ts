import { z } from 'zod';

import { PipelineTrace } from './pipeline-trace.ts';
import { ResultHit } from './question-result.ts';
import { Warning } from './vocabulary.ts';

const estimate = {
  searches: z.int().meta({ description: 'Without retries; of a pipeline, at most so many.' }),
  rerankerCalls: z.int(),
  modelCalls: z
    .int()
    .meta({ description: 'Of language models, without retries; of a pipeline, at most so many.' }),
  maxChunks: z
    .int()
    .nullable()
    .meta({ description: 'That AI Core returns at most; null: a filter has no count.' }),
};

const Reading = z.object({
  filters: z
    .array(z.object({ id: z.string().nullable(), chunks: z.int() }))
    .meta({ description: 'What each filter or operation brought.' }),
  scoreSources: z.array(z.string()),
  keys: z.array(z.string()).meta({ description: 'Metadata keys of the ranked chunks.' }),
  unmappedKeys: z
    .array(z.string())
    .meta({ description: 'Those that were there where no document id could be read.' }),
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
  reading: Reading.nullable().meta({ description: 'How the answer was read.' }),
  documentIds: z.array(z.string()),
  ranking: z.array(ResultHit),
  pipeline: PipelineTrace.optional().meta({
    description: 'How a pipeline came to the ranking, or how far it came.',
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
            'Passages that the chunking makes of the corpus; only for the backend `local`.',
        }),
        ...estimate,
        warnings: z.array(Warning),
      }),
    ),
    total: z.object(estimate),
    probes: z
      .array(Probe)
      .nullable()
      .meta({ description: 'The first question, sent by each configuration; null: nothing was.' }),
  })
  .meta({ id: 'DryRun' });
export type DryRun = z.infer<typeof DryRun>;
