import { z } from 'zod';

import { floorSides, inconclusiveRules } from '../model/gate.ts';
import { strengths } from '../ir/statistics/strength.ts';

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

const FloorCheck = z
  .object({
    measure: z.string(),
    minimum: z.number(),
    on: z.enum(floorSides),
    questions: z.int(),
    mean: z.number().nullable(),
    interval: Bounds,
    verdict: Verdict,
  })
  .meta({ id: 'GateFloorCheck' });

const Shares = z.object({
  baseline: z.number().nullable().meta({ description: 'null: no baseline.' }),
  candidate: z.number(),
});
const Rank = z.int().nullable().meta({ description: 'null: none was found.' });

const FallenQuestion = z
  .object({
    id: z.string(),
    text: z.string().nullable().meta({
      description: 'null: the question set is gone, or the caller may not read it.',
    }),
    measure: z.string(),
    baseline: z.number(),
    candidate: z.number(),
    firstRelevantRank: z.object({ baseline: Rank, candidate: Rank }),
  })
  .meta({ id: 'FallenQuestion' });

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
            'no-judged-document-returned',
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
    failedShare: Shares.nullable(),
    fallbackShare: Shares.nullish().meta({
      description: 'Questions for which a stage was skipped.',
    }),
    judged: z
      .object({
        measure: z.string(),
        baseline: z.number().nullable(),
        candidate: z.number().nullable(),
      })
      .nullable(),
    checks: z.array(GateCheck),
    floors: z.array(FloorCheck).optional(),
    rescoredBaseline: z.int().optional().meta({
      description:
        'The version whose judgments the baseline was scored with again, because nothing but judgments had changed.',
    }),
    fellMost: z.array(FallenQuestion).optional().meta({
      description: 'The ten questions that fell most in the first measure.',
    }),
  })
  .meta({ id: 'GateConfigurationDecision' });

export const Gate = z
  .object({
    verdict: Verdict.nullable().meta({
      description: 'The worst decision of all configurations; null until the evaluation has ended.',
    }),
    detail: z.string(),
    baseline: z
      .object({
        name: z.string(),
        evaluation: z
          .string()
          .meta({ description: 'What the name referred to when the gate was created.' }),
        configuration: z.string(),
      })
      .nullable()
      .meta({
        description:
          'null: every check has a minimum, or the baseline did not exist and `missingBaseline` is `pass`.',
      }),
    missingBaseline: z.string().optional().meta({
      description: 'The baseline that did not exist when the gate was created.',
    }),
    measures: z.array(z.string()).meta({ description: 'Those compared with the baseline.' }),
    maxDrop: z.number().meta({ description: 'The largest of all checks.' }),
    maxDrops: z.record(z.string(), z.number()).optional().meta({
      description: 'By measure, if the checks of a gate have different ones.',
    }),
    floors: z
      .array(z.object({ measure: z.string(), minimum: z.number(), on: z.enum(floorSides) }))
      .optional(),
    onInconclusive: z.enum(inconclusiveRules).optional(),
    acceptInputChange: z.boolean().optional(),
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
