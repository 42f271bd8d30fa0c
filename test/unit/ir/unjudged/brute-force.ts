import fc from 'fast-check';

import { judgeRanking } from '../../../../src/ir/measures/judged-ranking.ts';
import type { Measure } from '../../../../src/ir/measures/measure.ts';
import { parseMeasure } from '../../../../src/ir/measures/parse-measure.ts';
import type { Judgments } from '../../../../src/ir/qrels.ts';
import type { Ranking } from '../../../../src/ir/run.ts';
import type { Bounds } from '../../../../src/ir/unjudged/bounds.ts';
import type { RankedPair } from '../../../../src/ir/unjudged/unjudged-pair.ts';

export function getMeasure(name: string): Measure {
  const measure = parseMeasure(name);
  if (measure === undefined) throw new Error(`no measure ${name}`);
  return measure;
}

/** The documents of the rankings that have no judgment. */
export function listUnjudged(
  rankings: readonly Ranking[],
  judgments: Judgments,
): readonly string[] {
  const ids = rankings.flat().filter((id) => id !== null && !judgments.has(id)) as string[];
  return [...new Set(ids)];
}

/** Every way to give each document a grade from 0 to `maxGrade`. */
export function everyLabelling(
  ids: readonly string[],
  maxGrade: number,
): readonly (readonly [string, number])[][] {
  return ids.reduce<(readonly [string, number])[][]>(
    (labellings, id) =>
      labellings.flatMap((labelling) =>
        Array.from({ length: maxGrade + 1 }, (_, grade) => [...labelling, [id, grade] as const]),
      ),
    [[]],
  );
}

/** The measure's difference with more labels. */
export function differenceWith(
  measure: Measure,
  { baseline, candidate, judgments }: RankedPair,
  labels: readonly (readonly [string, number])[],
): number {
  const all = new Map([...judgments, ...labels]);
  const context = { maxGrade: 0 };
  return (
    measure.compute(judgeRanking(candidate, all), context) -
    measure.compute(judgeRanking(baseline, all), context)
  );
}

/** The least and the greatest difference over every labelling. */
export function tryEveryLabelling(measure: Measure, pair: RankedPair, maxGrade: number): Bounds {
  const ids = listUnjudged([pair.baseline, pair.candidate], pair.judgments);
  const values = everyLabelling(ids, maxGrade).map((labels) =>
    differenceWith(measure, pair, labels),
  );
  return { low: Math.min(...values), high: Math.max(...values) };
}

const ids = ['D1', 'D2', 'D3', 'D4', 'D5', 'D6', 'D7'];

const ranking = fc
  .shuffledSubarray(ids, { maxLength: 5 })
  .chain((chosen) =>
    fc
      .array(fc.integer({ min: 0, max: 7 }), { minLength: chosen.length, maxLength: chosen.length })
      .map((dice) => chosen.map((id, index) => (dice[index] === 0 ? null : id))),
  );

/** Grades below 0, on the scale and above it, of documents in the rankings and outside ("X1", "X2"). */
const judgments = fc
  .dictionary(fc.constantFrom(...ids, 'X1', 'X2'), fc.integer({ min: -1, max: 5 }), { maxKeys: 6 })
  .map((grades) => new Map(Object.entries(grades)));

/** Two small rankings of one question, with at most five documents unjudged. */
export const rankedPair = fc
  .record({ baseline: ranking, candidate: ranking, judgments })
  .filter((pair) => listUnjudged([pair.baseline, pair.candidate], pair.judgments).length <= 5);
