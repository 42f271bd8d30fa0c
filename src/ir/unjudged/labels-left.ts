import type { Measure } from '../measures/measure.ts';
import { numberAt } from '../statistics/number-at.ts';
import { boundDifference, type Bounds } from './bounds.ts';
import { decide, meanBounds } from './decision.ts';
import type { OpenQuestion, PlacedLabel } from './missing-label.ts';

/**
 * How many labels, taken in the order of the plan, leave no doubt about the sign of the mean difference.
 * What they will say is not known, so there are two answers, each the exact count for its case.
 */
export interface LabelsLeft {
  /** When each of them turns out to be grade 0, as the scores now count it: what it takes to confirm the scores. */
  readonly ifNotRelevant: number;
  /**
   * When they turn out as in the labelling that favours one side most, for the side that needs fewer. For
   * P and DCG no order and no labels decide it sooner; for other measures it is an upper bound of that
   * least number.
   */
  readonly atBest: number;
}

interface Plan {
  readonly open: readonly OpenQuestion[];
  /** In the order in which they are asked for. */
  readonly labels: readonly PlacedLabel[];
}

/** What a label turns out to be: the grade of a position of the question's pool. */
type Outcome = (question: OpenQuestion, position: number) => number;

/** Without questions there is nothing to decide, and no label is needed. */
export function countLabelsLeft(measure: Measure, plan: Plan, maxGrade: number): LabelsLeft {
  const count = (outcome: Outcome) =>
    countUntilDecided(plan.labels.length, createBounder(measure, plan, { outcome, maxGrade }));
  return {
    ifNotRelevant: count(() => 0),
    atBest: Math.min(
      count(({ high }, position) => numberAt(high.grades, position)),
      count(({ low }, position) => numberAt(low.grades, position)),
    ),
  };
}

/**
 * Each label takes possible labellings away, so what is decided stays decided, and the count can be
 * halved in on. All labels together leave one value, which is decided.
 */
function countUntilDecided(labels: number, boundAfter: (count: number) => Bounds): number {
  let undecided = -1;
  let decided = labels;
  while (decided - undecided > 1) {
    const middle = Math.floor((undecided + decided) / 2);
    if (decide(boundAfter(middle)) === 'undecided') undecided = middle;
    else decided = middle;
  }
  return decided;
}

/** The range of the mean once the first `count` labels have come. A question is bounded anew only where it got more of them. */
function createBounder(
  measure: Measure,
  { open, labels }: Plan,
  { outcome, maxGrade }: { readonly outcome: Outcome; readonly maxGrade: number },
): (count: number) => Bounds {
  const known = new Map<string, Bounds>();
  const boundQuestion = (each: OpenQuestion, place: number, given: readonly PlacedLabel[]) => {
    const key = `${place} ${given.length}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const verdicts = given.map(
      ({ documentId, position }) => [documentId, outcome(each, position)] as const,
    );
    const judgments = new Map([...each.question.judgments, ...verdicts]);
    const bounds = boundDifference(measure, { ...each.question, judgments }, maxGrade);
    known.set(key, bounds);
    return bounds;
  };
  return (count) => {
    const given = Map.groupBy(labels.slice(0, count), ({ place }) => place);
    const bounds = open.map((each, place) => boundQuestion(each, place, given.get(place) ?? []));
    return meanBounds(bounds) ?? { low: 0, high: 0 };
  };
}
