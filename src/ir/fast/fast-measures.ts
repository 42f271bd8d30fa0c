import { discountAt } from '../measures/dcg.ts';
import type { MeasureParts } from '../measures/measure.ts';
import { ratio } from '../measures/relevance.ts';
import type { RankedGrades } from './ranked-grades.ts';

export type FastCompute = (ranked: RankedGrades) => number;

interface Settings {
  readonly depth: number;
  readonly relevantFrom: number;
}

const fastFamilies: ReadonlyMap<string, (settings: Settings) => FastCompute> = new Map([
  ['P', precision],
  ['R', recall],
  ['RR', reciprocalRank],
  ['AP', averagePrecision],
  ['nDCG', ndcg],
]);

/** The measure over typed arrays, with the same operations in the same order, so with equal values; undefined for families that have only the general form. */
export function findFastMeasure({
  family,
  cutoff,
  relevantFrom,
  judgedOnly,
}: MeasureParts): FastCompute | undefined {
  const compute = fastFamilies.get(family)?.({ depth: cutoff ?? Infinity, relevantFrom });
  return judgedOnly && compute ? ofJudged(compute) : compute;
}

/** As `condense` has it. NaN is not 0 or more either. */
function ofJudged(compute: FastCompute): FastCompute {
  const condensed: RankedGrades = {
    grades: new Float64Array(0),
    length: 0,
    judged: new Float64Array(0),
  };
  return ({ grades, length, judged }) => {
    if (condensed.grades.length < length) condensed.grades = new Float64Array(grades.length);
    let kept = 0;
    for (let index = 0; index < length; index += 1) {
      const grade = grades[index] as number;
      if (grade >= 0) condensed.grades[kept++] = grade;
    }
    condensed.length = kept;
    condensed.judged = judged;
    return compute(condensed);
  };
}

function precision({ depth, relevantFrom }: Settings): FastCompute {
  return (ranked) =>
    countRelevant(ranked.grades, Math.min(depth, ranked.length), relevantFrom) / depth;
}

function recall({ depth, relevantFrom }: Settings): FastCompute {
  return ({ grades, length, judged }) =>
    ratio(
      countRelevant(grades, Math.min(depth, length), relevantFrom),
      countRelevant(judged, judged.length, relevantFrom),
    );
}

function reciprocalRank({ depth, relevantFrom }: Settings): FastCompute {
  return ({ grades, length }) => {
    const end = Math.min(depth, length);
    for (let index = 0; index < end; index += 1) {
      if ((grades[index] as number) >= relevantFrom) return 1 / (index + 1);
    }
    return 0;
  };
}

function averagePrecision({ depth, relevantFrom }: Settings): FastCompute {
  return ({ grades, length, judged }) => {
    const end = Math.min(depth, length);
    let found = 0;
    let sum = 0;
    for (let index = 0; index < end; index += 1) {
      if (!((grades[index] as number) >= relevantFrom)) continue;
      found += 1;
      sum += found / (index + 1);
    }
    return ratio(sum, countRelevant(judged, judged.length, relevantFrom));
  };
}

function ndcg({ depth }: Settings): FastCompute {
  return ({ grades, length, judged }) => {
    const gained = sumGains(grades, Math.min(depth, length));
    return Math.min(1, ratio(gained, sumGains(judged, Math.min(depth, judged.length))));
  };
}

function countRelevant(grades: Float64Array, end: number, relevantFrom: number): number {
  let found = 0;
  for (let index = 0; index < end; index += 1) {
    if ((grades[index] as number) >= relevantFrom) found += 1;
  }
  return found;
}

function sumGains(grades: Float64Array, end: number): number {
  let sum = 0;
  for (let index = 0; index < end; index += 1) {
    const grade = grades[index] as number;
    if (grade > 0) sum += grade / discountAt(index);
  }
  return sum;
}
