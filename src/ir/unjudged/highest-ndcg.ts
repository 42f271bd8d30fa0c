import { exponentialGain, gradeAsGain, type Gain } from '../measures/dcg.ts';
import { ratio } from '../measures/relevance.ts';
import { numberAt } from '../statistics/number-at.ts';
import type { AssignmentScale, FindHighest } from './find-highest.ts';
import type { UnjudgedPair } from './unjudged-pair.ts';
import { weighDiscount, weighPool } from './weigh-pool.ts';

/**
 * nDCG's difference is N / D: N = DCG of the candidate − DCG of the baseline, D = DCG of the ideal list,
 * which holds the pool too. Why few assignments need to be tried:
 *
 * - With the multiset of grades fixed, D is fixed and N is highest when higher grades go to documents
 *   with higher weight (their discount in the candidate − in the baseline). So an assignment is c(g) for
 *   each grade g: the first c(g) documents by weight get at least g, c falling in g.
 * - Gains are sums over the grades ("layers") up to the document's own, so N and D are sums over layers:
 *   W(c(g)) and H(J(g) + c(g)), with W the prefix sums of the weights, H those of the discounts to k, and J(g)
 *   the documents judged g or higher.
 * - Some N ≥ 0: the highest ratio λ is the root of max(N − λ D) = 0 (Dinkelbach, Management Science 13,
 *   1967), and each layer can be maximised alone: the step from c to c + 1 is w − λ h(J(g) + c + 1), h falls and J
 *   falls in g, so the smallest best c falls in g by itself.
 * - Every N < 0: λ < 0, and N − λ D is convex, as D is a maximum of linear functions. So some best
 *   assignment has only the grades 0 and the highest: the same c in every layer.
 */
export const findHighestNdcg: FindHighest = (pair, scale) =>
  findHighestRatio(pair, scale, gradeAsGain);

/** As `findHighestNdcg`, for the gains of nDCG-exp. */
export const findHighestNdcgExp: FindHighest = (pair, scale) =>
  findHighestRatio(pair, scale, exponentialGain(Math.max(scale.maxGrade, pair.judged[0] ?? 0)));

/** Grades of the scale between which no grade was judged. What holds for one of them holds for all. */
interface Layer {
  readonly upTo: number;
  /** The gain of `upTo` less that of the layer below. */
  readonly worth: number;
  /** How many documents were judged `upTo` or higher. */
  readonly judged: number;
}

interface Problem {
  readonly layers: readonly Layer[];
  /** W: the weights of the pool, falling, summed up to each count. */
  readonly weights: Float64Array;
  /** H: the discounts summed up to each count. It ends at k, from where on it is level. */
  readonly discounts: Float64Array;
  /** What the judged documents add to N. */
  readonly gained: number;
  /** What judged documents above the scale add to D beyond the layers. */
  readonly ideal: number;
}

function findHighestRatio(pair: UnjudgedPair, scale: AssignmentScale, gain: Gain): number[] {
  const weights = weighPool(pair, weighDiscount(scale.depth));
  const order = orderByWeight(weights);
  const sorted = order.map((position) => weights[position] as number);
  const problem = toProblem(pair, { ...scale, gain }, sorted);
  const positive = sorted.filter((weight) => weight > 0).length;
  const isLiftable = ratioAt(problem, () => positive) >= 0;
  const counts = isLiftable ? liftRatio(problem, positive) : findBestLevel(problem);
  const grades = weights.map(() => 0);
  for (const [layer, { upTo }] of problem.layers.entries()) {
    for (const position of order.slice(0, counts[layer])) grades[position] = upTo;
  }
  return grades;
}

/** Positions by falling weight. The many documents below k in both rankings weigh 0 and are not compared. */
function orderByWeight(weights: readonly number[]): readonly number[] {
  const falling = (a: number, b: number) => (weights[b] as number) - (weights[a] as number);
  const groups: [number[], number[], number[]] = [[], [], []];
  weights.forEach((weight, position) => groups[1 - Math.sign(weight)]?.push(position));
  const [positive, zero, negative] = groups;
  return positive.toSorted(falling).concat(zero, negative.toSorted(falling));
}

function toProblem(
  { baseline, candidate, judged }: UnjudgedPair,
  { depth, maxGrade, gain }: AssignmentScale & { readonly gain: Gain },
  sorted: readonly number[],
): Problem {
  const weigh = weighDiscount(depth);
  const ranks = Math.min(judged.length + sorted.length, depth);
  const discounted = (grades: readonly (number | null)[]) =>
    grades
      .slice(0, depth)
      .reduce<number>((sum, grade, index) => sum + gainOf(grade, gain) * weigh(index), 0);
  const capped = judged.map((grade) => Math.min(grade, maxGrade));
  return {
    layers: toLayers(judged, maxGrade, gain),
    weights: sumUp(sorted),
    discounts: sumUp(Array.from({ length: ranks }, (_, index) => weigh(index))),
    gained: discounted(candidate.grades) - discounted(baseline.grades),
    ideal: discounted(judged) - discounted(capped),
  };
}

function toLayers(judged: readonly number[], maxGrade: number, gain: Gain): readonly Layer[] {
  const between = judged.filter((grade) => grade > 0 && grade < maxGrade);
  const tops = [...new Set(between)].toReversed().concat(maxGrade > 0 ? [maxGrade] : []);
  return tops.map((upTo, index) => ({
    upTo,
    worth: gain(upTo) - gainOf(tops[index - 1] ?? null, gain),
    judged: judged.filter((grade) => grade >= upTo).length,
  }));
}

/** Each step maximises N − λ D at the ratio reached so far, until that finds no higher ratio. */
function liftRatio(problem: Problem, positive: number): readonly number[] {
  let best = countsAt(problem, positive, 0);
  let highest = ratioAt(problem, (layer) => numberAt(best, layer));
  for (;;) {
    const counts = countsAt(problem, positive, highest);
    const lifted = ratioAt(problem, (layer) => numberAt(counts, layer));
    if (!(lifted > highest)) return best;
    [highest, best] = [lifted, counts];
  }
}

/**
 * The smallest c of each layer with the highest W(c) − λ H(J + c). A document without positive weight
 * cannot raise that. Rounding may not let a higher layer outgrow a lower one.
 */
function countsAt(
  { layers, weights, discounts }: Problem,
  positive: number,
  lambda: number,
): readonly number[] {
  let most = positive;
  return layers.map(({ judged }) => {
    let best = 0;
    let highest = -lambda * sumAt(discounts, judged);
    for (let count = 1; count <= most; count += 1) {
      const value = (weights[count] as number) - lambda * sumAt(discounts, judged + count);
      if (value > highest) [highest, best] = [value, count];
    }
    most = best;
    return best;
  });
}

function findBestLevel(problem: Problem): readonly number[] {
  let best = 0;
  let highest = ratioAt(problem, () => 0);
  for (let count = 1; count < problem.weights.length; count += 1) {
    const value = ratioAt(problem, () => count);
    if (value > highest) [highest, best] = [value, count];
  }
  return problem.layers.map(() => best);
}

function ratioAt(
  { layers, weights, discounts, gained, ideal }: Problem,
  countOf: (layer: number) => number,
): number {
  let numerator = gained;
  let denominator = ideal;
  let layer = 0;
  for (const { worth, judged } of layers) {
    const count = countOf(layer);
    numerator += worth * (weights[count] as number);
    denominator += worth * sumAt(discounts, judged + count);
    layer += 1;
  }
  return ratio(numerator, denominator);
}

/** The sum of the first `count` values, or of all where there are fewer. */
function sumAt(sums: Float64Array, count: number): number {
  return sums[Math.min(count, sums.length - 1)] as number;
}

/** The sums of the first 0, 1, 2, … values. */
function sumUp(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  let sum = 0;
  values.forEach((value, index) => {
    sum += value;
    sums[index + 1] = sum;
  });
  return sums;
}

function gainOf(grade: number | null, gain: Gain): number {
  return grade !== null && grade > 0 ? gain(grade) : 0;
}
