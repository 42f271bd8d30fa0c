import { z } from 'zod';

import { isOneWord } from '../ir/rewriting/glossary.ts';
import { modelName } from '../retrieval/cross-encoder/model-folder.ts';
import { DestinationName, ResourceGroup } from './aicore-access.ts';
import { nonEmptyText } from './vocabulary.ts';

/** Longest time that a stage may take. */
const TimeoutMs = z
  .int()
  .min(10)
  .max(600_000)
  .meta({ description: 'Time in milliseconds after which the stage is skipped.' });

const modelFields = {
  model: nonEmptyText(200).meta({ description: 'A model of the orchestration service.' }),
  resourceGroup: ResourceGroup.optional().meta({
    description:
      'Where the model is called. Default: the connection of the backend, else `default`.',
  }),
  destination: DestinationName.optional(),
  prompt: nonEmptyText(20_000).optional().meta({
    description:
      'The instruction for the model. Default: the instruction of the service. An evaluation shows the instruction it used.',
  }),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.int().min(1).max(32_000).default(500),
  timeoutMs: TimeoutMs.default(20_000),
};

const Terms = z
  .record(nonEmptyText(200), nonEmptyText(500))
  .superRefine((terms, context) => {
    const words = Object.keys(terms);
    if (words.length === 0 || words.length > 5000) {
      context.addIssue({ code: 'custom', message: 'must have 1 to 5,000 terms' });
    }
    for (const word of words.filter((each) => !isOneWord(each)).slice(0, 100)) {
      const message = 'must be one word: questions are read word by word';
      context.addIssue({ code: 'custom', path: [word], message });
    }
  })
  .meta({ description: 'Replacements by word; case-insensitive.' });

const Rewrite = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('glossary'), terms: Terms }).meta({ title: 'glossary' }),
    z
      .strictObject({
        type: z.literal('llm'),
        versions: z
          .int()
          .min(1)
          .max(10)
          .default(3)
          .meta({ description: 'Maximum number of versions.' }),
        ...modelFields,
      })
      .meta({ title: 'llm' }),
    z.strictObject({ type: z.literal('hyde'), ...modelFields }).meta({ title: 'hyde' }),
    z.strictObject({ type: z.literal('followUp'), ...modelFields }).meta({ title: 'followUp' }),
  ])
  .meta({
    id: 'Rewrite',
    description:
      'A way to create other versions of the question, which are searched in addition to it.',
    example: { type: 'glossary', terms: { stuck: 'blocked' } },
  });

const Fusion = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('rrf'), k: z.number().min(0).max(10_000).default(60) })
      .meta({ title: 'rrf' }),
    z.strictObject({ type: z.literal('scores') }).meta({ title: 'scores' }),
  ])
  .meta({ id: 'Fusion', description: 'How the rankings of several versions are merged.' });

const On = z.enum(['document', 'chunk']).optional();

const minScore = z.number().optional().meta({
  description:
    'Removes hits below this score of the re-ranker, and hits that were not re-ranked. GET /v1/eval/{id}/score-curve helps to choose it.',
});

const LlmRerank = z
  .strictObject({
    type: z.literal('llm'),
    window: z.int().min(2).max(100).default(20).meta({
      description: 'How many passages the model sees at a time.',
    }),
    step: z.int().min(1).max(99).default(10).meta({
      description: 'By how many passages the window moves; must be smaller than the window.',
    }),
    on: On.meta({ description: onDescription('chunk') }),
    ...modelFields,
    timeoutMs: TimeoutMs.default(60_000),
  })
  .refine(({ window, step }) => step < window, {
    message: 'must be smaller than "window", or no passage could pass from one window to the next',
    path: ['step'],
  })
  .meta({ title: 'llm' });

const CrossEncoderName = z
  .string()
  .regex(modelName, 'must be the name of a folder, or two with a slash between them')
  .meta({
    description: 'A folder in CROSS_ENCODER_ROOT that contains a cross-encoder in ONNX format.',
    example: 'ms-marco-MiniLM-L-6-v2',
  });

const Rerank = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('lexical'),
        on: On.meta({
          description: onDescription('document for the `local` backend, else chunk'),
        }),
        minScore,
      })
      .meta({ title: 'lexical' }),
    LlmRerank,
    z
      .strictObject({
        type: z.literal('crossEncoder'),
        model: CrossEncoderName,
        on: On.meta({ description: onDescription('chunk') }),
        minScore,
        timeoutMs: TimeoutMs.default(60_000),
      })
      .meta({ title: 'crossEncoder' }),
  ])
  .meta({ id: 'Rerank', description: 'Reorders the top of the ranking.' });

export const Pipeline = z
  .strictObject({
    rewrite: z
      .union([Rewrite, z.array(Rewrite).min(1).max(5)])
      .optional()
      .meta({
        description:
          'One rewriter, or several. Each works on the question as completed by those before it.',
      }),
    fusion: Fusion.optional().meta({ description: 'Default: rrf with k = 60.' }),
    candidates: z.int().min(1).max(1000).optional().meta({
      description: 'How many documents to re-rank. Default: 20.',
    }),
    rerank: Rerank.optional(),
    versionTimeoutMs: TimeoutMs.optional().meta({
      description:
        'Time in milliseconds after which the search of an additional version is skipped.',
    }),
  })
  .meta({
    id: 'Pipeline',
    description: 'The stages around the search of the backend. All are optional.',
    example: {
      rewrite: { type: 'glossary', terms: { stuck: 'blocked' } },
      fusion: { type: 'rrf', k: 60 },
      candidates: 20,
      rerank: { type: 'lexical' },
    },
  });

function onDescription(usual: string): string {
  return `The text to score for each candidate: its whole document, as far as the user may see it (\`local\` backend only), or its best chunk. Default: ${usual}.`;
}

/** AI Core answers with chunks: no whole document can be read. */
export const ChunkPipeline = Pipeline.superRefine(({ rerank }, context) => {
  if (rerank?.on !== 'document') return;
  const message = 'only the backend "local" knows the whole text of a document';
  context.addIssue({ code: 'custom', path: ['rerank', 'on'], message });
});

/** A run that was brought in holds rankings alone: no version of a question can be searched, no text read. */
export const RunPipeline = Pipeline.superRefine(({ rewrite, rerank }, context) => {
  if (rewrite) {
    const message =
      'a run holds the rankings of the questions alone, so no other version can be searched';
    context.addIssue({ code: 'custom', path: ['rewrite'], message });
  }
  if (rerank) {
    const message = 'a run holds no texts, so there is nothing to re-rank by';
    context.addIssue({ code: 'custom', path: ['rerank'], message });
  }
});
