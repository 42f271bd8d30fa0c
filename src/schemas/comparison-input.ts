import { z } from 'zod';

import { InvalidInputError } from '../errors.ts';
import type { RunPair, RunReference } from '../evaluation/comparison/read-run.ts';
import { strengths } from '../ir/statistics/strength.ts';
import { sliceDimensions } from '../model/question.ts';
import { Name, nonEmptyText } from './vocabulary.ts';

/** One side: a configuration of the request's evaluation, or of another. */
export const Side = z.union([
  Name,
  z.strictObject({ evaluation: nonEmptyText(64), configuration: Name }),
]);
const MeasureName = z.string().max(64);

export const ComparisonInput = z
  .strictObject({
    evaluation: nonEmptyText(64).optional().meta({
      description: 'Required if a side is only the name of a configuration.',
    }),
    baseline: Side.optional().meta({ description: 'Required unless "pairs" is given.' }),
    candidate: Side.optional(),
    candidates: z.array(Side).min(1).max(20).optional().meta({
      description: 'Duplicates are dropped, so that none is tested twice.',
    }),
    pairs: z.literal('all').optional().meta({
      description:
        'Instead of sides: compares every pair of configurations of the evaluation, at most 400 comparisons.',
    }),
    measure: MeasureName.optional(),
    measures: z.array(MeasureName).min(1).max(20).optional().meta({
      description: 'Duplicates are dropped, also under another alias.',
    }),
    sliceBy: z.array(z.enum(sliceDimensions)).max(sliceDimensions.length).optional().meta({
      description:
        'Also compares the questions of each value of these attributes, without a verdict.',
    }),
    bounds: z.boolean().optional().meta({
      description:
        'Also computes the range of the mean difference over all possible grades of the unjudged documents.',
    }),
    equivalence: z
      .strictObject({
        margin: z.number().gt(0).max(1e6),
        alpha: z.number().min(0.001).max(0.25).default(0.05),
        strength: z.enum(strengths).default('usual').meta({ description: 'As in gates.' }),
      })
      .optional()
      .meta({ description: 'Also tests whether the difference is smaller than a margin.' }),
    confidence: z.number().min(0.5).max(0.999).default(0.95),
    resamples: z.int().min(1000).max(100_000).default(10_000),
    permutations: z.int().min(1000).max(1_000_000).default(100_000),
    seed: z.int().min(0).max(4_294_967_295).default(1),
  })
  .superRefine((request, context) => {
    const refuse = (field: keyof typeof request, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    const refuseUnlessOne = (one: keyof typeof request, many: keyof typeof request) => {
      if ((request[one] === undefined) !== (request[many] === undefined)) return;
      refuse(one, `a request has either "${one}" or "${many}"`);
    };
    refuseUnlessOne('measure', 'measures');
    if (request.pairs === undefined) {
      refuseUnlessOne('candidate', 'candidates');
      if (request.baseline === undefined) refuse('baseline', 'is needed unless "pairs" is given');
      return;
    }
    if (request.evaluation === undefined) refuse('evaluation', 'is needed for all pairs');
    for (const field of ['baseline', 'candidate', 'candidates'] as const) {
      if (request[field] !== undefined) refuse(field, 'does not go with "pairs"');
    }
  })
  .meta({
    id: 'ComparisonInput',
    example: {
      evaluation: '0b6b4d0e-6f3e-4d5c-9a35-0e8b3a5f7c11',
      baseline: 'hybrid',
      candidate: 'rerank',
      measure: 'nDCG@10',
      seed: 7,
    },
  });
export type ComparisonInput = z.infer<typeof ComparisonInput>;

/** The baseline with each candidate. One that is named twice counts once: it would be two tests of the same. */
export function toPairs({
  evaluation,
  baseline = '',
  candidate = '',
  candidates,
}: Pick<
  ComparisonInput,
  'evaluation' | 'baseline' | 'candidate' | 'candidates'
>): readonly RunPair[] {
  const toSide = (side: z.infer<typeof Side>, pointer: string) =>
    toReference(side, evaluation, pointer);
  const first = toSide(baseline, '/body/baseline');
  const others = candidates?.map((side, index) => toSide(side, `/body/candidates/${index}`));
  const all = others ?? [toSide(candidate, '/body/candidate')];
  const once = new Map(
    all.map((each) => [JSON.stringify([each.evaluation, each.configuration]), each]),
  );
  return [...once.values()].map((other) => ({ baseline: first, candidate: other }));
}

/** Which run a side means: its own evaluation's, or that of the request. */
function toReference(
  side: z.infer<typeof Side>,
  evaluation: string | undefined,
  pointer: string,
): RunReference {
  if (typeof side !== 'string') return side;
  if (evaluation !== undefined) return { evaluation, configuration: side };
  const detail =
    'names only a configuration; say "evaluation", or give { evaluation, configuration }';
  throw new InvalidInputError('The comparison does not say which evaluation', [
    { pointer, detail },
  ]);
}
