import { maxInputErrors, type InputError } from '../../errors.ts';

export interface PlacedIssue extends InputError {
  /** Where it stands in the body. */
  readonly place: number;
}

/** Faults that are found in any order. */
export interface PlacedIssues {
  readonly add: (fault: PlacedIssue) => void;
  readonly count: () => number;
  /** The first of the body, as many as one answer names. */
  readonly first: () => readonly InputError[];
}

export function createPlacedIssues(): PlacedIssues {
  let faults: PlacedIssue[] = [];
  let count = 0;
  const cut = () => {
    faults = faults.toSorted((a, b) => a.place - b.place).slice(0, maxInputErrors);
  };
  return {
    add(fault) {
      count += 1;
      faults.push(fault);
      if (faults.length >= 100 * maxInputErrors) cut();
    },
    count: () => count,
    first() {
      cut();
      return faults.map(({ place: _place, ...error }) => error);
    },
  };
}
