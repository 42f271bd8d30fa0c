/** What one way to search gives and takes. Null: nobody knows. */
export interface Tradeoff {
  readonly name: string;
  /** More is better. */
  readonly quality: number | null;
  /** Less is better; the same axes in the same order for all. */
  readonly costs: readonly (number | null)[];
}

export interface Standing {
  readonly name: string;
  /** Those that are at least as good on every axis and better on one. */
  readonly dominatedBy: readonly string[];
  /** Those that are at least as good on every axis that is known of both, while another axis is not. */
  readonly perhapsDominatedBy: readonly string[];
  /** Whether nothing dominates it; null: an unknown axis decides. */
  readonly isOnFront: boolean | null;
}

/**
 * Which are worth a choice (the Pareto front) and which never are. Of two that are equal on every axis neither
 * dominates. An unknown value proves nothing: it neither wins nor loses against a known one.
 */
export function findFront(tradeoffs: readonly Tradeoff[]): readonly Standing[] {
  return tradeoffs.map((tradeoff) => {
    const namesOf = (relation: Relation) =>
      tradeoffs
        .filter((other) => other !== tradeoff && relate(other, tradeoff) === relation)
        .map(({ name }) => name);
    const dominatedBy = namesOf('dominates');
    const perhapsDominatedBy = namesOf('perhaps');
    const isUndecided = perhapsDominatedBy.length > 0 ? null : true;
    return {
      name: tradeoff.name,
      dominatedBy,
      perhapsDominatedBy,
      isOnFront: dominatedBy.length > 0 ? false : isUndecided,
    };
  });
}

type Relation = 'dominates' | 'perhaps' | 'no';

function relate(a: Tradeoff, b: Tradeoff): Relation {
  const gains = [
    subtract(a.quality, b.quality),
    ...a.costs.map((cost, axis) => subtract(b.costs[axis] ?? null, cost)),
  ];
  const known = gains.filter((gain) => gain !== null);
  if (known.some((gain) => gain < -sameWithin)) return 'no';
  if (known.length < gains.length) return 'perhaps';
  return known.some((gain) => gain > sameWithin) ? 'dominates' : 'no';
}

/** Two means of the same values that differ by less differ by rounding. */
const sameWithin = 1e-12;

function subtract(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}
