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
        'The largest accepted drop of the mean. The gate passes if a larger drop is ruled out.',
    }),
    allowedFailedShare: Share.default(0).meta({
      description: 'The accepted share of questions whose search failed; 0.01 is one in a hundred.',
    }),
    allowedFallbackShare: Share.default(0).meta({
      description:
        'The accepted share of questions for which a stage of the pipeline failed or timed out.',
    }),
    minJudged: z
      .strictObject({ measure: MeasureName.meta({ example: 'judged@10' }), value: Share })
      .optional()
      .meta({ description: 'The share of both rankings that must be judged.' }),
    slices: z
      .array(z.enum(sliceDimensions))
      .max(sliceDimensions.length)
      .default([])
      .meta({ description: 'Also checks each value of these attributes.' }),
    sliceMaxDrop: Share.optional().meta({ description: 'Default: maxDrop.' }),
    minSliceQuestions: z.int().min(2).max(250_000).default(20).meta({
      description: 'Slices with fewer questions are reported but do not affect the decision.',
    }),
    confidence: z.number().min(0.6).max(0.999).default(0.95),
    strength: z.enum(strengths).default('usual').meta({
      description:
        '`usual`: bounds that hold for the differences met in practice; can pass with 50 or more questions (fewer if maxDrop is larger than 0.058), or if every ranking is identical. `guaranteed`: a bound that holds for every distribution; DCG, which has no bound, is decided as usual.',
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
      description: 'One-sided, each at the given confidence; BCa up to 5,000 questions.',
    }),
    lowerBound: z.number().nullable().meta({ description: 'The lower of the two lower bounds.' }),
    upperBound: z.number().nullable().meta({ description: 'The higher of the two upper bounds.' }),
    pLarger: z
      .number()
      .nullable()
      .meta({ description: 'Small if the drop is significantly larger than accepted.' }),
    pAdjusted: z.number().nullable().meta({
      description: 'pLarger adjusted by Holm over the counted checks; null if not counted.',
    }),
    isTooFew: z.boolean(),
    strength: z.enum(strengths).optional().meta({
      description: 'The method that decided `pass`: also `usual` for DCG in a guaranteed gate.',
    }),
    blindTo: z.number().optional().meta({
      description:
        'The largest share of all questions for which everything could be lost without showing in these questions (95 %).',
    }),
    questionsNeeded: z.int().nullable().optional().meta({
      description:
        'Fewer questions cannot pass, unless every ranking is identical (usual) or some questions improved (guaranteed). null: no number is enough.',
    }),
    isIdentical: z
      .boolean()
      .optional()
      .meta({ description: 'Whether every ranking is identical to that of the baseline.' }),
    guarantee: z
      .object({
        p: z.number().meta({ description: 'Small if a drop beyond maxDrop is ruled out.' }),
        lowerBound: z.number().meta({ description: 'Of the mean difference.' }),
      })
      .nullable()
      .optional()
      .meta({ description: "Gaffke's bound, which decides `pass` if present; null: usual." }),
    isCounted: z.boolean().meta({
      description: 'false: a slice with too few questions, which does not affect the decision.',
    }),
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
      .meta({ description: 'Why the gate cannot pass, regardless of the checks.' }),
    failedShare: z.object({ baseline: z.number(), candidate: z.number() }).nullable(),
    fallbackShare: z
      .object({ baseline: z.number(), candidate: z.number() })
      .nullish()
      .meta({ description: 'Questions for which a stage was skipped.' }),
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
      description: 'The worst decision of all configurations; null until the evaluation has ended.',
    }),
    detail: z.string(),
    baseline: z.object({
      name: z.string(),
      evaluation: z
        .string()
        .meta({ description: 'What the name referred to when the gate was created.' }),
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
    strength: z.enum(strengths).optional().meta({ description: 'Default: usual.' }),
    hash: z.string().meta({
      description:
        'Hash of the rules, the baseline, the configurations, the question set and the inputs, taken before the first search.',
    }),
    configurations: z.array(ConfigurationDecision),
  })
  .meta({ id: 'Gate' });
