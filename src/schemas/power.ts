import { z } from 'zod';

import type { RunPair } from '../evaluation/comparison/read-run.ts';
import { Side, toPairs } from './comparison-input.ts';
import { nonEmptyText } from './vocabulary.ts';

export const PowerInput = z
  .strictObject({
    n: z.int().min(2).max(10_000_000).optional().meta({
      description: 'Number of questions. Default: the number of compared questions.',
    }),
    sd: z
      .number()
      .gt(0)
      .max(1e6)
      .optional()
      .meta({ description: 'Standard deviation of the differences; omit it if runs are given.' }),
    difference: z
      .number()
      .gt(0)
      .max(1e6)
      .optional()
      .meta({ description: 'The mean difference to detect.' }),
    power: z.number().min(0.5).max(0.999).default(0.8),
    alpha: z.number().min(0.001).max(0.25).default(0.05),
    evaluation: nonEmptyText(64).optional(),
    baseline: Side.optional(),
    candidate: Side.optional(),
    measure: z.string().max(64).optional(),
  })
  .superRefine((request, context) => {
    const refuse = (field: keyof typeof request, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const run = ['baseline', 'candidate', 'measure'] as const;
    if (run.every((field) => request[field] === undefined)) {
      if (request.sd === undefined) refuse('sd', 'is needed unless two runs are named');
      if (request.n === undefined && request.difference === undefined) {
        refuse('n', 'a request has "n", "difference" or both');
      }
      return;
    }
    if (request.sd !== undefined) refuse('sd', 'does not go with the differences of two runs');
    for (const field of run) {
      if (request[field] === undefined) refuse(field, 'is needed for the differences of two runs');
    }
  })
  .meta({ id: 'PowerInput', example: { n: 50, sd: 0.3, difference: 0.05 } });
type PowerInput = z.infer<typeof PowerInput>;

export const PowerPlan = z
  .object({
    n: z.int().nullable(),
    sd: z.number(),
    source: z.enum(['given', 'comparison']).meta({ description: 'Where sd comes from.' }),
    power: z.number(),
    alpha: z.number(),
    minimumDetectableDifference: z.number().nullable().meta({
      description: 'The smallest true mean difference that n questions detect with this power.',
    }),
    difference: z.number().nullable(),
    questionsNeeded: z.int().nullable().meta({
      description:
        'The smallest number of questions that detects the difference; null: more than a billion.',
    }),
  })
  .meta({ id: 'PowerPlan' });

/** The two runs whose differences are meant, if the request names any. */
export function toComparedRuns(request: PowerInput): RunPair | undefined {
  if (request.baseline === undefined) return undefined;
  const { evaluation, baseline, candidate } = request;
  return toPairs({ evaluation, baseline, candidate })[0];
}
