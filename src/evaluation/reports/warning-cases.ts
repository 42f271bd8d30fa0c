import type { ScorecardRow } from '../../model/scorecard.ts';

/** The warnings of a row, one a line; undefined: there are none. */
export function tellWarnings(row: ScorecardRow | undefined): string | undefined {
  const lines = (row?.warnings ?? []).map(
    ({ code, severity, message, questions }) =>
      `${severity} ${code} (${questions} questions): ${message}`,
  );
  return lines.length > 0 ? lines.join('\n') : undefined;
}

/** A test case of JUnit that is an error. */
interface ErrorCase {
  readonly '@name': string;
  readonly '@classname': string;
  readonly error: { readonly '@type': string; readonly '@message': string };
}

/** The means of a row with such a warning mean nothing, whatever its other cases say. */
export function listErrorCases(rows: readonly ScorecardRow[]): readonly ErrorCase[] {
  return rows.flatMap(({ configuration, warnings }) =>
    warnings
      .filter(({ severity }) => severity === 'error')
      .map(({ code, message }) => ({
        '@name': code,
        '@classname': configuration,
        error: { '@type': code, '@message': message },
      })),
  );
}
