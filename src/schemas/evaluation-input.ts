import { z } from 'zod';

import { averageRules, sliceDimensions } from '../model/question.ts';
import { GateInput } from './gate-input.ts';
import { InlineSearchConfiguration } from './search-configuration.ts';
import { Name, text } from './vocabulary.ts';

const MeasureName = z.string().max(64).meta({
  description: 'The name defines the measure completely. GET /v1/measures lists all measures.',
  example: 'nDCG@10',
});
const MeasureNames = z.preprocess(toList, z.array(MeasureName).min(1).max(100));

/** One value is a list of one. */
function toList(value: unknown): unknown {
  return value === undefined || value === null || Array.isArray(value) ? value : [value];
}

/** The deepest cut-off that a measure may have. */
const Cutoff = z.int().min(1).max(10_000);

const Version = z.int().min(1).max(2_000_000_000);

const QuestionSetReference = z.preprocess(
  (value) => splitVersion(value) ?? value,
  z.union([Name, z.strictObject({ name: Name, version: Version })]),
);

/** `office@2` is version 2 of the set office. */
function splitVersion(value: unknown): object | undefined {
  const [, name, version] =
    /^([^@]+)@([1-9]\d{0,9})$/.exec(typeof value === 'string' ? value : '') ?? [];
  return name === undefined ? undefined : { name, version: Number(version) };
}

const Average = z.enum(averageRules).meta({
  description:
    'The questions over which means are taken. `labelled`: those with a judgment; `answerable`: those with a relevant document; `set`: all, with 0 for unlabelled ones. Unanswerable questions are never included. Default: labelled; for a rescore: the rule of its source.',
});

const IntervalOptions = z.strictObject({
  confidence: z.number().min(0.5).max(0.999).default(0.95),
  resamples: z.int().min(2000).max(10_000).default(2000),
  seed: z.int().min(0).max(4_294_967_295).default(1),
});

export const EvaluationInput = z
  .strictObject({
    questionSet: QuestionSetReference.meta({
      description: 'A name (the latest version), `name@2`, or name and version.',
    }),
    configurations: z.preprocess(
      toList,
      z
        .array(z.union([Name, InlineSearchConfiguration]))
        .min(1)
        .max(20),
    ),
    measures: MeasureNames.optional(),
    cutoffs: z.preprocess(toList, z.array(Cutoff).min(1).max(20).optional()),
    k: Cutoff.optional().meta({ description: 'Short for `cutoffs` with one entry.' }),
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
        'Adds a confidence interval to every mean of the scorecard. true: 95 %, 2,000 resamples, seed 1.',
    }),
    bounds: z.boolean().optional().meta({
      description:
        'Adds the range of each mean over all possible grades of the unjudged documents.',
    }),
    diagnose: z
      .union([z.boolean(), z.literal('deep')])
      .optional()
      .meta({
        description:
          'Adds to the scorecard the steps at which relevant documents are lost. `deep`: for each question with a user that lacks a document in every list, makes one more search without the conditions of the user, to find what they hide; these searches are billed and counted.',
      }),
    ablate: z.boolean().optional().meta({
      description:
        'Also evaluates each configuration with a pipeline without its stages: as `NAME.plain`, `NAME.rewrite` and `NAME.rerank` beside NAME. Shared searches and rewritings are made once.',
    }),
    probe: z.boolean().optional().meta({
      description: 'With dryRun=true: searches the first question once with each configuration.',
    }),
    gate: GateInput.optional(),
  })
  .superRefine((request, context) => {
    if (request.k !== undefined && (request.measures ?? request.cutoffs)) {
      const message = 'a request has one of "measures", "cutoffs" and "k"';
      context.addIssue({ code: 'custom', path: ['k'], message });
    }
    if (request.measures && request.cutoffs) {
      const message = 'a request has either "measures" or "cutoffs"';
      context.addIssue({ code: 'custom', path: ['cutoffs'], message });
    }
  })
  .transform(({ k, ...request }) => (k === undefined ? request : { ...request, cutoffs: [k] }))
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
