import { z } from 'zod';

import { averageRules, sliceDimensions } from '../model/question.ts';
import { GateInput } from './gate.ts';
import { InlineSearchConfiguration } from './search-configuration.ts';
import { Name, text } from './vocabulary.ts';

const MeasureName = z.string().max(64).meta({
  description: 'A name is the whole definition. GET /v1/measures lists them.',
  example: 'nDCG@10',
});
const MeasureNames = z.array(MeasureName).min(1).max(100);

/** The deepest cut-off that a measure may have. */
const Cutoff = z.int().min(1).max(10_000);

const Version = z.int().min(1).max(2_000_000_000);

const QuestionSetReference = z.union([Name, z.strictObject({ name: Name, version: Version })]);

const Average = z.enum(averageRules).meta({
  description:
    'Over which questions the means go. `labelled`: with a judgment; `answerable`: with a relevant document; `set`: all, an unlabelled one as 0. No mean has unanswerable questions. Default: labelled; of a rescore: the rule of its source.',
});

const IntervalOptions = z.strictObject({
  confidence: z.number().min(0.5).max(0.999).default(0.95),
  resamples: z.int().min(2000).max(10_000).default(2000),
  seed: z.int().min(0).max(4_294_967_295).default(1),
});

export const EvaluationInput = z
  .strictObject({
    questionSet: QuestionSetReference.meta({
      description: 'A name (its latest version), or name and version.',
    }),
    configurations: z
      .array(z.union([Name, InlineSearchConfiguration]))
      .min(1)
      .max(20),
    measures: MeasureNames.optional(),
    cutoffs: z.array(Cutoff).min(1).max(20).optional(),
    average: Average.optional(),
    sliceBy: z.array(z.enum(sliceDimensions)).max(sliceDimensions.length).default([]),
    split: z.enum(['tuning', 'held-out']).optional(),
    sample: z
      .strictObject({
        size: z.int().min(1).max(250_000),
        seed: z.int().min(0).max(4_294_967_295).default(1),
      })
      .optional(),
    label: text(256).optional(),
    intervals: z.union([z.boolean(), IntervalOptions]).optional().meta({
      description:
        'An interval for every mean of the scorecard. true: 95 %, 2,000 resamples, seed 1.',
    }),
    bounds: z.boolean().optional().meta({
      description:
        'What each mean could be if the unjudged documents in the rankings had any grade of the set.',
    }),
    diagnose: z
      .union([z.boolean(), z.literal('deep')])
      .optional()
      .meta({
        description:
          "The scorecard says at which step relevant documents are lost. `deep`: one more search for each question of a user that lacks a document in every list, without the user's conditions, to tell what they hide; it is billed and counted.",
      }),
    ablate: z.boolean().optional().meta({
      description:
        'Evaluates each configuration with a pipeline without its stages too: as `NAME.plain`, `NAME.rewrite` and `NAME.rerank` beside NAME. Searches and rewritings that they share are made once.',
    }),
    probe: z
      .boolean()
      .optional()
      .meta({ description: 'With dryRun=true: sends the first question, once a configuration.' }),
    gate: GateInput.optional(),
  })
  .superRefine((request, context) => {
    if (request.measures && request.cutoffs) {
      const message = 'a request has either "measures" or "cutoffs"';
      context.addIssue({ code: 'custom', path: ['cutoffs'], message });
    }
  })
  .meta({
    id: 'EvaluationInput',
    example: {
      questionSet: 'sample',
      configurations: [
        { name: 'bm25', backend: 'local', corpus: 'sample', method: 'bm25' },
        { name: 'hybrid', backend: 'local', corpus: 'sample', method: 'hybrid' },
      ],
      measures: ['hit@3', 'RR', 'nDCG@10'],
      sliceBy: ['kind'],
      label: 'first look',
    },
  });
export type EvaluationInput = z.infer<typeof EvaluationInput>;

export const RescoreInput = z
  .strictObject({
    version: Version.optional().meta({ description: 'Default: the latest.' }),
    measures: MeasureNames.optional(),
    average: Average.optional(),
  })
  .meta({ id: 'RescoreInput', example: { version: 4 } });
