import { z } from 'zod';

import { floorSides, inconclusiveRules } from '../model/gate.ts';
import { sliceDimensions } from '../model/question.ts';
import { strengths } from '../ir/statistics/strength.ts';
import { Name } from './vocabulary.ts';

const MeasureName = z.string().max(64);
const Share = z.number().min(0).max(1);

const MaxDrop = Share.meta({
  description:
    'The largest accepted drop of the mean. The gate passes if a larger drop is ruled out.',
});
const Minimum = z.number().min(0).max(1e6).meta({
  description: 'The mean must reach this value. No baseline is needed.',
});
const On = z.enum(floorSides).meta({
  description:
    'With `minimum`. `interval`: the lower end of the confidence interval of the mean must reach it; `mean`: the mean itself.',
});

const CheckInput = z.union([
  z.strictObject({ measure: MeasureName, maxDrop: MaxDrop }),
  z.strictObject({ measure: MeasureName, minimum: Minimum, on: On.default('interval') }),
]);

export const GateInput = z
  .strictObject({
    baseline: z
      .union([Name, z.strictObject({ configuration: Name })])
      .optional()
      .meta({
        description:
          'The name of a baseline, or another configuration of the same evaluation. Required with `maxDrop`.',
      }),
    measure: MeasureName.optional(),
    measures: z.array(MeasureName).min(1).max(20).optional(),
    maxDrop: MaxDrop.optional(),
    minimum: Minimum.optional(),
    on: On.optional(),
    checks: z.array(CheckInput).min(1).max(40).optional().meta({
      description: 'Instead of `measure` or `measures` with one rule: a rule for each measure.',
    }),
    onInconclusive: z.enum(inconclusiveRules).default('report').meta({
      description:
        '`report`: the verdict is `inconclusive`; `fail` and `pass`: the verdict is that instead.',
    }),
    missingBaseline: z.enum(['fail', 'pass']).default('fail').meta({
      description:
        'If the baseline does not exist. `fail`: the request is refused; `pass`: it is checked against the minimums only, and the response says so.',
    }),
    acceptInputChange: z.boolean().default(false).meta({
      description: 'Compares with the baseline even if the corpus has changed since.',
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
    const refuse = (path: keyof typeof gate, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const single = ['measure', 'measures', 'maxDrop', 'minimum', 'on'] as const;
    if (gate.checks) {
      for (const field of single) {
        if (gate[field] !== undefined) refuse(field, 'does not go with "checks"');
      }
    } else {
      if ((gate.measure === undefined) === (gate.measures === undefined)) {
        refuse('measure', 'a gate has either "measure" or "measures"');
      }
      if (gate.maxDrop === undefined && gate.minimum === undefined) {
        refuse('maxDrop', 'is missing, unless "minimum" or "checks" is given');
      }
      if (gate.maxDrop !== undefined && gate.minimum !== undefined) {
        refuse('minimum', 'does not go with "maxDrop"; use "checks" for both');
      }
      if (gate.on !== undefined && gate.minimum === undefined) refuse('on', 'goes with "minimum"');
    }
    const rules = gate.checks ?? [gate];
    const hasDrop = rules.some((rule) => 'maxDrop' in rule && rule.maxDrop !== undefined);
    if (hasDrop && gate.baseline === undefined) refuse('baseline', 'is missing');
    if (!hasDrop && gate.baseline !== undefined) refuse('baseline', 'goes with "maxDrop"');
  })
  .meta({
    id: 'GateInput',
    example: { baseline: 'main', measure: 'nDCG@10', maxDrop: 0.02 },
  });
