import { AppError } from '../errors.ts';
import type { Measure } from '../ir/measures/measure.ts';
import type { ComparisonOptions } from '../ir/statistics/compare-paired.ts';
import { pairDifferences } from '../ir/statistics/differences.ts';
import { explainComparison } from '../ir/statistics/explain-comparison.ts';
import { adjustHolm } from '../ir/statistics/holm.ts';
import type { PairedComparison } from '../ir/statistics/paired-comparison.ts';
import type { Database } from '../storage/database.ts';
import type { StoredEvaluation } from '../storage/evaluations.ts';
import { getEvaluation, isFinished } from './describe-evaluation.ts';
import { pairQuestions, type Exclusions } from './pair-questions.ts';
import { readRun, type RunQuestions, type RunReference } from './read-run.ts';
import { runTask } from './run-task.ts';

export interface RunComparison extends PairedComparison {
  readonly measure: string;
  readonly baseline: RunReference;
  readonly candidate: RunReference;
  readonly excluded: Exclusions;
  readonly explanation: string;
  readonly pAdjusted?: number | null;
  readonly perQuestion: readonly QuestionDifference[];
}

export interface QuestionDifference {
  readonly id: string;
  readonly text: string;
  readonly baseline: number;
  readonly candidate: number;
  /** Candidate minus baseline; 0 when they differ by rounding only. */
  readonly difference: number;
  readonly outcome: 'win' | 'loss' | 'tie';
}

export interface ComparisonRequest extends ComparisonOptions {
  readonly baseline: RunReference;
  readonly candidates: readonly RunReference[];
  readonly measures: readonly Measure[];
}

/**
 * Compares each candidate with the baseline on each measure, question by question, over the questions
 * scored in both. Refuses runs over different contents of a question set with `conflict`.
 */
export async function compareRuns(
  db: Database,
  request: ComparisonRequest,
): Promise<readonly RunComparison[]> {
  const evaluations = await findComparable(db, [request.baseline, ...request.candidates]);
  const { measures } = request;
  const baseline = await readSide(db, evaluations, { reference: request.baseline, measures });
  const comparisons: RunComparison[] = [];
  for (const reference of request.candidates) {
    const candidate = await readSide(db, evaluations, { reference, measures });
    for (const index of measures.keys()) {
      comparisons.push(await compareOn(request, { reference, baseline, candidate, index }));
    }
  }
  return comparisons;
}

/** Adds to each comparison of a family its p after Holm, by the randomization test. */
export function adjustFamily(comparisons: readonly RunComparison[]): readonly RunComparison[] {
  const adjusted = adjustHolm(comparisons.map(({ tests }) => tests.randomization.p));
  return comparisons.map((comparison, index) => ({
    ...comparison,
    pAdjusted: adjusted[index] ?? null,
  }));
}

type Evaluations = ReadonlyMap<string, StoredEvaluation>;

async function findComparable(
  db: Database,
  references: readonly RunReference[],
): Promise<Evaluations> {
  const evaluations = new Map<string, StoredEvaluation>();
  for (const { evaluation: id } of references) {
    if (evaluations.has(id)) continue;
    const evaluation = await getEvaluation(db, id);
    if (!isFinished(evaluation)) {
      throw new AppError('conflict', `Evaluation '${id}' has not ended yet`);
    }
    evaluations.set(id, evaluation);
  }
  refuseDifferentQuestions([...evaluations.values()]);
  return evaluations;
}

function refuseDifferentQuestions([first, ...others]: readonly StoredEvaluation[]): void {
  const isOther = (other: StoredEvaluation) =>
    other.questionSet !== first?.questionSet || other.contentHash !== first.contentHash;
  const other = others.find(isOther);
  if (!first || !other) return;
  const message = `Evaluation '${first.id}' is over question set ${nameSet(first)}, '${other.id}' over ${nameSet(other)}: only runs over the same questions and judgments can be compared. POST /v1/eval/{id}/rescore scores stored rankings against another version`;
  throw new AppError('conflict', message);
}

function nameSet({ questionSet, version }: StoredEvaluation): string {
  return `'${questionSet}' version ${version}`;
}

function readSide(
  db: Database,
  evaluations: Evaluations,
  {
    reference,
    measures,
  }: { readonly reference: RunReference; readonly measures: readonly Measure[] },
): Promise<RunQuestions> {
  const evaluation = evaluations.get(reference.evaluation);
  return readRun(db, reference, { evaluation, measures });
}

async function compareOn(
  request: ComparisonRequest,
  {
    reference,
    baseline,
    candidate,
    index,
  }: {
    readonly reference: RunReference;
    readonly baseline: RunQuestions;
    readonly candidate: RunQuestions;
    readonly index: number;
  },
): Promise<RunComparison> {
  const { pairs, excluded } = pairQuestions(baseline, candidate);
  const valuesOf = (side: 'baseline' | 'candidate') =>
    pairs.map((pair) => pair[side].values[index] ?? Number.NaN);
  const values = { baseline: valuesOf('baseline'), candidate: valuesOf('candidate') };
  const { confidence, resamples, permutations, seed } = request;
  const options = { confidence, resamples, permutations, seed };
  const compared = await runTask('comparePaired', { ...values, options });
  const measure = request.measures[index]?.name ?? '';
  const names = {
    baseline: request.baseline.configuration,
    candidate: reference.configuration,
    measure,
  };
  const differences = pairDifferences(values.baseline, values.candidate);
  return {
    ...compared,
    measure,
    baseline: request.baseline,
    candidate: reference,
    excluded,
    explanation: explainComparison(compared, names),
    perQuestion: pairs.map((pair, place) => {
      const difference = differences[place] ?? Number.NaN;
      return {
        id: pair.baseline.id,
        text: pair.baseline.text,
        baseline: values.baseline[place] ?? Number.NaN,
        candidate: values.candidate[place] ?? Number.NaN,
        difference,
        outcome: difference > 0 ? 'win' : difference < 0 ? 'loss' : 'tie',
      };
    }),
  };
}
