import type { JudgedRanking } from '../measures/judged-ranking.ts';
import type { Measure, MeasureContext } from '../measures/measure.ts';
import { createMean } from '../stable-sum.ts';

/** What a measure would be if only the first N of each ranking were kept. Index 0 is N = 1. */
export interface DepthCurve {
  /** In the order of the ranking. */
  readonly kept: readonly (number | null)[];
  /** With those N in the best order; null: the measure does not tell good from bad. */
  readonly oracle: readonly (number | null)[] | null;
}

export interface DepthCurves {
  /** Takes one question. */
  readonly add: (judged: JudgedRanking, context: MeasureContext) => void;
  /** In the order of the measures; null where no question was added. */
  readonly toCurves: () => readonly DepthCurve[];
}

/** Averages the curves of each measure over questions, in memory that does not grow with their number. */
export function createDepthCurves(measures: readonly Measure[], depth: number): DepthCurves {
  const lines = measures.map(() => ({ kept: createLine(depth), oracle: createLine(depth) }));
  return {
    add(judged, context) {
      for (const [index, measure] of measures.entries()) {
        const { kept, oracle } = traceDepths(measure, judged, { depth, context });
        for (const [place, value] of kept.entries()) lines[index]?.kept[place]?.add(value);
        for (const [place, value] of oracle.entries()) lines[index]?.oracle[place]?.add(value);
      }
    },
    toCurves: () =>
      measures.map((measure, index) => ({
        kept: toValues(lines[index]?.kept),
        oracle: hasOracle(measure) ? toValues(lines[index]?.oracle) : null,
      })),
  };
}

/**
 * One question's values for N = 1 … depth. The oracle is what a perfect re-ranker of the first N reaches:
 * what is graded above 0 first, by falling grade, everything else behind it in its order. No order of the
 * same documents scores higher.
 */
export function traceDepths(
  measure: Measure,
  { grades, judged }: JudgedRanking,
  { depth, context }: { readonly depth: number; readonly context: MeasureContext },
): { readonly kept: readonly number[]; readonly oracle: readonly number[] } {
  const compute = (some: JudgedRanking['grades']) =>
    measure.compute({ grades: some, judged }, context);
  const kept: number[] = [];
  const oracle: number[] = [];
  let [last, best] = [compute([]), compute([])];
  for (let count = 1; count <= depth; count += 1) {
    if (count <= grades.length && canChange(measure, grades[count - 1] ?? 0)) {
      const some = grades.slice(0, count);
      last = compute(some);
      best = compute(orderPerfectly(some));
    }
    kept.push(last);
    oracle.push(best);
  }
  return { kept, oracle };
}

/** The measures that a document without worth at the end of a ranking changes: they count what is there. */
const countsEverything = new Set(['setP', 'setF1', 'judged']);

function canChange({ family }: Measure, grade: number): boolean {
  return grade > 0 || countsEverything.has(family);
}

/** judged@k says how much was judged, not how well it is ordered. */
function hasOracle({ family }: Measure): boolean {
  return family !== 'judged';
}

function orderPerfectly(grades: JudgedRanking['grades']): JudgedRanking['grades'] {
  return grades.toSorted((a, b) => worthOf(b) - worthOf(a));
}

function worthOf(grade: number | null): number {
  return Math.max(grade ?? 0, 0);
}

type Line = readonly ReturnType<typeof createMean>[];

function createLine(depth: number): Line {
  return Array.from({ length: depth }, () => createMean());
}

function toValues(line: Line | undefined): readonly (number | null)[] {
  return (line ?? []).map(({ mean }) => mean ?? null);
}
