import type { Measure } from '../../ir/measures/measure.ts';
import { pairDifferences } from '../../ir/statistics/differences.ts';
import { testNonInferiority } from '../../ir/statistics/non-inferiority.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import {
  findRunDifferences,
  upsertRunDifferences,
  type RunDifferences,
  type RunDifferencesKey,
} from '../../storage/evaluations/run-differences.ts';
import { pairQuestions, type QuestionPair } from '../comparison/pair-questions.ts';
import { readRun, type RunQuestions } from '../comparison/read-run.ts';
import { inTurn } from '../computations/current-request.ts';

export interface RunDifferencesReader {
  /** By the order of the measures. What was read once is kept in the store. */
  readonly read: (night: StoredEvaluation) => Promise<readonly RunDifferences[]>;
}

/** The interval of a night has two one-sided bounds of 97.5 %. */
const night = { confidence: 0.95, resamples: 10_000, seed: 1 } as const;

/** Reads nights beside one baseline, whose own values are read when the first night needs them. */
export function createRunDifferencesReader(
  db: Database,
  {
    baseline,
    configuration,
    measures,
  }: {
    readonly baseline: StoredEvaluation;
    readonly configuration: string;
    readonly measures: readonly Measure[];
  },
): RunDifferencesReader {
  let baselineRun: Promise<RunQuestions> | undefined;

  async function readAnew(evaluation: StoredEvaluation): Promise<readonly RunDifferences[]> {
    const reference = { evaluation: baseline.id, configuration };
    baselineRun ??= readRun(db, reference, { evaluation: baseline, measures });
    const run = await readRun(
      db,
      { evaluation: evaluation.id, configuration },
      { evaluation, measures },
    );
    const { pairs, excluded } = pairQuestions(await baselineRun, run);
    return measures.map((_measure, index) => toDifferences(pairs, index, excluded.onlyOneSide));
  }

  return {
    async read(evaluation) {
      const keys = measures.map(({ name }) =>
        toKey(baseline, evaluation, { configuration, measure: name }),
      );
      const kept = await Promise.all(keys.map((key) => findRunDifferences(db, key)));
      const found = kept.filter((entry) => entry !== undefined);
      if (found.length === measures.length) return found;
      const anew = await inTurn(() => readAnew(evaluation), baseline.total + evaluation.total);
      for (const [index, key] of keys.entries()) {
        await upsertRunDifferences(db, key, anew[index]);
      }
      return anew;
    },
  };
}

function toKey(
  baseline: StoredEvaluation,
  { id: evaluation, finishedAt }: StoredEvaluation,
  of: { readonly configuration: string; readonly measure: string },
): RunDifferencesKey {
  const state = `${baseline.finishedAt} ${finishedAt}`;
  return { evaluation, baselineEvaluation: baseline.id, ...of, state };
}

function toDifferences(
  pairs: readonly QuestionPair[],
  measure: number,
  onlyOneSide: number,
): RunDifferences {
  const valuesOf = (side: keyof QuestionPair) =>
    pairs.map((pair) => pair[side].values[measure] ?? Number.NaN);
  const [before, after] = [valuesOf('baseline'), valuesOf('candidate')];
  const { confidence, ...resampling } = night;
  const options = { ...resampling, maxDrop: 0, confidence: (1 + confidence) / 2 };
  const { means, meanDifference, lowerBound, upperBound } = testNonInferiority(
    before,
    after,
    options,
  );
  return {
    means: { baseline: means.baseline, night: means.candidate },
    meanDifference,
    interval:
      lowerBound === null || upperBound === null
        ? null
        : { confidence, low: lowerBound, high: upperBound },
    differences: pairDifferences(before, after),
    onlyOneSide,
  };
}
