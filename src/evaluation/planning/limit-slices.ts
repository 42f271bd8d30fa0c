import { InvalidInputError } from '../../errors.ts';
import { sliceValues, type SliceDimension } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationPlan } from '../../model/evaluation-plan.ts';
import { streamSelected } from '../outcomes/stream-outcomes.ts';

/** The most numbers that the slices of one scorecard may have. Its JSON stays below 5 MB. */
const maxSliceNumbers = 100_000;

/** A mean with an interval is written as four numbers. */
const numbersWithInterval = 4;

/** A slice of a diagnosis counts documents, shares and questions of six causes. */
const numbersOfDiagnosis = 21;

type Sliced = Pick<
  EvaluationPlan,
  'measures' | 'sliceBy' | 'intervals' | 'diagnose' | 'split' | 'positions'
>;

/**
 * Refuses a plan whose slices would make a scorecard too large to compute, store and answer. The version of
 * the question set is frozen, so its slices are counted before the first search. Throws `invalid-input`.
 */
export async function refuseTooManySlices(
  db: Database,
  { questionSet, version, plan }: { questionSet: string; version: number; plan: Sliced },
  { questions, configurations }: { readonly questions: number; readonly configurations: number },
): Promise<void> {
  const numbersPerSlice = configurations * countNumbers(plan);
  const most = Math.floor(maxSliceNumbers / numbersPerSlice);
  if (questions * countValuesAtMost(plan.sliceBy) <= most) return;
  const found = new Map(plan.sliceBy.map((dimension) => [dimension, new Set<string>()]));
  const selection = { questionSet, version, plan: plan as EvaluationPlan };
  for await (const { question } of streamSelected(db, selection)) {
    for (const [dimension, values] of found) {
      for (const value of sliceValues(question, dimension)) values.add(value);
    }
  }
  const slices = [...found.values()].reduce((sum, { size }) => sum + size, 0);
  if (slices > most) throw tooMany([...found], { most, numbersPerSlice, configurations });
}

function countNumbers({ measures, intervals, diagnose }: Sliced): number {
  const perMeasure = intervals ? numbersWithInterval : 1;
  const isDiagnosed = diagnose === true || diagnose === 'deep';
  return 1 + measures.length * perMeasure + (isDiagnosed ? numbersOfDiagnosis : 0);
}

/** A question has one value of a dimension, or as many as it may have tags. */
function countValuesAtMost(sliceBy: readonly SliceDimension[]): number {
  const maxTags = 50;
  return sliceBy.reduce((sum, dimension) => sum + (dimension === 'tags' ? maxTags : 1), 0);
}

function tooMany(
  found: readonly (readonly [SliceDimension, ReadonlySet<string>])[],
  {
    most,
    numbersPerSlice,
    configurations,
  }: {
    readonly most: number;
    readonly numbersPerSlice: number;
    readonly configurations: number;
  },
): InvalidInputError {
  const slices = found.reduce((sum, [, { size }]) => sum + size, 0);
  const counts = found.map(([dimension, { size }]) => `${size} of ${dimension}`).join(', ');
  const each = `${numbersPerSlice} numbers over ${configurations === 1 ? '1 configuration' : `${configurations} configurations`}`;
  const detail = `makes ${slices} slices (${counts}) with ${each} each; at most ${most} slices are allowed, because the slices of a scorecard have at most ${maxSliceNumbers} numbers. Slice by fewer dimensions, or request fewer measures or configurations`;
  return new InvalidInputError('The scorecard would have too many slices', [
    { pointer: '/body/sliceBy', detail },
  ]);
}
