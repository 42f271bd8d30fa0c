import { z } from 'zod';

import { sliceDimensions } from '../model/question.ts';
import { strengths } from '../ir/statistics/strength.ts';
import { Name } from './vocabulary.ts';

const MeasureName = z.string().max(64);
const Share = z.number().min(0).max(1);

export const GateInput = z
  .strictObject({
    baseline: Name,
    measure: MeasureName.optional(),
    measures: z.array(MeasureName).min(1).max(20).optional(),
    maxDrop: Share.meta({
      description:
        'The largest drop of the mean that is accepted. The gate passes when a larger one is ruled out.',
    }),
    allowedFailedShare: Share.default(0).meta({
      description:
        'Of the questions asked: how many searches may have failed, 0.01 for one in a hundred.',
    }),
    allowedFallbackShare: Share.default(0).meta({
      description:
        'Of the questions asked: of how many a stage of the pipeline may have failed or been late.',
    }),
    minJudged: z
      .strictObject({ measure: MeasureName.meta({ example: 'judged@10' }), value: Share })
      .optional()
      .meta({ description: 'How much of both rankings must have been judged.' }),
    slices: z
      .array(z.enum(sliceDimensions))
      .max(sliceDimensions.length)
      .default([])
      .meta({ description: 'Each value of these is tested too.' }),
    sliceMaxDrop: Share.optional().meta({ description: 'Default: maxDrop.' }),
    minSliceQuestions: z.int().min(2).max(250_000).default(20).meta({
      description: 'Slices with fewer questions are shown and decide nothing.',
    }),
    confidence: z.number().min(0.6).max(0.999).default(0.95),
    strength: z.enum(strengths).default('usual').meta({
      description:
        '`usual`: bounds that hold for the differences met in practice; passes from 50 questions on (fewer where maxDrop is larger than 0.058), or where every ranking is identical. `guaranteed`: a bound that holds for every distribution; DCG, which has no bound, is decided as usual.',
    }),
  })
  .superRefine((gate, context) => {
    if ((gate.measure === undefined) !== (gate.measures === undefined)) return;
    const message = 'a gate has either "measure" or "measures"';
    context.addIssue({ code: 'custom', path: ['measure'], message });
  })
  .meta({
    id: 'GateInput',
    example: { baseline: 'main', measure: 'nDCG@10', maxDrop: 0.02 },
  });

const Verdict = z.enum(['pass', 'inconclusive', 'fail']);
const Bounds = z.object({ low: z.number(), high: z.number() }).nullable();

const GateCheck = z
  .object({
    measure: z.string(),
    slice: z
      .object({ dimension: z.string(), value: z.string() })
      .nullable()
      .meta({ description: 'null: over all questions.' }),
    questions: z.int().meta({ description: 'Questions scored in both runs.' }),
    means: z.object({ baseline: z.number().nullable(), candidate: z.number().nullable() }),
    meanDifference: z.number().nullable().meta({ description: 'Candidate minus baseline.' }),
    maxDrop: z.number(),
    bounds: z.object({ t: Bounds, bca: Bounds }).meta({
      description: 'One-sided, each at the stated confidence; BCa up to 5,000 questions.',
    }),
    lowerBound: z.number().nullable().meta({ description: 'The lower of the two.' }),
    upperBound: z.number().nullable().meta({ description: 'The higher of the two.' }),
    pLarger: z
      .number()
      .nullable()
      .meta({ description: 'Small when the drop is shown to be larger than accepted.' }),
    pAdjusted: z
      .number()
      .nullable()
      .meta({ description: 'pLarger after Holm over the counted checks; null when not counted.' }),
    isTooFew: z.boolean(),
    strength: z.enum(strengths).optional().meta({
      description: 'What decided about `pass`: `usual` also for DCG in a guaranteed gate.',
    }),
    blindTo: z.number().optional().meta({
      description:
        'The largest share of all questions on which everything could be lost without these questions showing it (95 %).',
    }),
    questionsNeeded: z.int().nullable().optional().meta({
      description:
        'Fewer cannot pass, unless every ranking is identical (usual) or some questions gained (guaranteed). null: no number can.',
    }),
    isIdentical: z
      .boolean()
      .optional()
      .meta({ description: "Whether every ranking is the baseline's." }),
    guarantee: z
      .object({
        p: z.number().meta({ description: 'Small when a drop beyond maxDrop is ruled out.' }),
        lowerBound: z.number().meta({ description: 'Of the mean difference.' }),
      })
      .nullable()
      .optional()
      .meta({ description: "Gaffke's bound, which decides `pass` where it is; null: usual." }),
    isCounted: z
      .boolean()
      .meta({ description: 'false: a slice with too few questions, which decides nothing.' }),
    verdict: Verdict,
    notes: z.array(z.string()),
  })
  .meta({ id: 'GateCheck' });

const ConfigurationDecision = z
  .object({
    configuration: z.string(),
    verdict: Verdict,
    detail: z.string(),
    obstacles: z
      .array(
        z.object({
          code: z.enum([
            'baseline-gone',
            'question-set-changed',
            'input-changed',
            'other-questions',
            'failures',
            'baseline-failures',
            'fallbacks',
            'baseline-fallbacks',
            'low-judged',
          ]),
          verdict: Verdict,
          detail: z.string(),
        }),
      )
      .meta({ description: 'Why it cannot pass, whatever the checks say.' }),
    failedShare: z.object({ baseline: z.number(), candidate: z.number() }).nullable(),
    fallbackShare: z
      .object({ baseline: z.number(), candidate: z.number() })
      .nullish()
      .meta({ description: 'Of the questions asked: those of which a stage was left out.' }),
    judged: z
      .object({
        measure: z.string(),
        baseline: z.number().nullable(),
        candidate: z.number().nullable(),
      })
      .nullable(),
    checks: z.array(GateCheck),
  })
  .meta({ id: 'GateConfigurationDecision' });

export const Gate = z
  .object({
    verdict: Verdict.nullable().meta({
      description: 'The worst of the configurations; null until the evaluation has ended.',
    }),
    detail: z.string(),
    baseline: z.object({
      name: z.string(),
      evaluation: z.string().meta({ description: 'What the name meant when the gate was fixed.' }),
      configuration: z.string(),
    }),
    measures: z.array(z.string()),
    maxDrop: z.number(),
    allowedFailedShare: z.number(),
    allowedFallbackShare: z.number().optional(),
    minJudged: z.object({ measure: z.string(), value: z.number() }).nullable(),
    slices: z.array(z.string()),
    sliceMaxDrop: z.number(),
    minSliceQuestions: z.int(),
    confidence: z.number(),
    strength: z.enum(strengths).optional().meta({ description: 'Absent: usual.' }),
    hash: z.string().meta({
      description:
        'Over the rules, the baseline, the configurations, the question set and the inputs, taken before the first search.',
    }),
    configurations: z.array(ConfigurationDecision),
  })
  .meta({ id: 'Gate' });
