import { maxInputErrors, type InputError } from '../../errors.ts';

export interface PlacedIssue extends InputError {
  /** Where it stands in the body. */
  readonly place: number;
}

/** Issues that are found in any order. */
export interface PlacedIssues {
  readonly add: (issue: PlacedIssue) => void;
  readonly count: () => number;
  /** The first of the body, as many as one answer names. */
  readonly first: () => readonly InputError[];
}

export function createPlacedIssues(): PlacedIssues {
  let issues: PlacedIssue[] = [];
  let count = 0;
  const cut = () => {
    issues = issues.toSorted((a, b) => a.place - b.place).slice(0, maxInputErrors);
  };
  return {
    add(issue) {
      count += 1;
      issues.push(issue);
      if (issues.length >= 100 * maxInputErrors) cut();
    },
    count: () => count,
    first() {
      cut();
      return issues.map(({ place: _place, ...error }) => error);
    },
  };
}
