/** What one way to search gives and takes. Null: it is not known. */
export interface Tradeoff {
  readonly name: string;
  /** More is better. */
  readonly quality: number | null;
  /** Searches that failed, of the same questions for all. Absent: 0. */
  readonly failures?: number;
  /** Less is better; the same axes in the same order for all; none below 0. */
  readonly costs: readonly (number | null)[];
}

/** Two costs are equal when they differ by at most this share of the larger one, or by at most this amount. */
export interface Tolerance {
  readonly share: number;
  readonly amount: number;
}

export interface Standing {
  readonly name: string;
  /** Those that are at least as good on every axis and better on one. */
  readonly dominatedBy: readonly string[];
  /** Those that are at least as good on every axis that is known of both, while another axis is not. */
  readonly possiblyDominatedBy: readonly string[];
  /** Whether nothing dominates it; null: an unknown axis decides. */
  readonly isOnFront: boolean | null;
}

/**
 * Which are worth a choice (the Pareto front) and which never are. Of two that are equal on every axis the one
 * with fewer failures dominates, else neither. An unknown value proves nothing: it neither wins nor loses
 * against a known one.
 *
 * "Equal within a tolerance" is not transitive, so three could dominate one another in a circle. Of two with
 * equal quality one therefore dominates only with fewer failures, or with as many and lower costs in all (the
 * sum of their logarithms). Every domination then goes down one order, and the front is never empty.
 */
export function findFront(
  tradeoffs: readonly Tradeoff[],
  tolerances: readonly Tolerance[] = [],
): readonly Standing[] {
  return tradeoffs.map((tradeoff) => {
    const namesOf = (relation: Relation) =>
      tradeoffs
        .filter((other) => other !== tradeoff && relate(other, tradeoff, tolerances) === relation)
        .map(({ name }) => name);
    const dominatedBy = namesOf('dominates');
    const possiblyDominatedBy = namesOf('perhaps');
    const isUndecided = possiblyDominatedBy.length > 0 ? null : true;
    return {
      name: tradeoff.name,
      dominatedBy,
      possiblyDominatedBy,
      isOnFront: dominatedBy.length > 0 ? false : isUndecided,
    };
  });
}

type Relation = 'dominates' | 'perhaps' | 'no';

function relate(a: Tradeoff, b: Tradeoff, tolerances: readonly Tolerance[]): Relation {
  const better = subtract(a.quality, b.quality);
  const savings = a.costs.map((cost, axis) => save(cost, b.costs[axis] ?? null, tolerances[axis]));
  const gains = [better, ...savings];
  const known = gains.filter((gain) => gain !== null);
  if (known.some((gain) => gain < -rounding)) return 'no';
  if (known.length < gains.length) return 'perhaps';
  if (better !== null && better > rounding) return 'dominates';
  const fewerFailures = (b.failures ?? 0) - (a.failures ?? 0);
  if (fewerFailures !== 0) return fewerFailures > 0 ? 'dominates' : 'no';
  const isCheaper = known.some((gain) => gain > rounding) && sumLogs(a) < sumLogs(b);
  return isCheaper ? 'dominates' : 'no';
}

/** Two means of the same values that differ by less differ by rounding. */
const rounding = 1e-12;

function subtract(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}

/** What `a` costs less than `b`; 0 within the tolerance. */
function save(a: number | null, b: number | null, tolerance: Tolerance | undefined): number | null {
  const saved = subtract(b, a);
  if (saved === null || a === null || b === null || !tolerance) return saved;
  const same = Math.max(tolerance.amount, tolerance.share * Math.max(a, b));
  return Math.abs(saved) <= same ? 0 : saved;
}

/** Of costs that are all known. One of 0 counts as the smallest positive number would. */
function sumLogs({ costs }: Tradeoff): number {
  return costs.reduce<number>((sum, cost) => sum + Math.log((cost ?? 0) + Number.MIN_VALUE), 0);
}
