/** Something a reader must know beside a number. `code` is stable. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** How many questions it touches. */
  readonly questions: number;
}

/** A few of many ids, for a message. */
export function nameSome(ids: Iterable<string>, most = 5): string {
  const all = [...ids];
  const named = all.slice(0, most).join(', ');
  return all.length > most ? `${named} and ${all.length - most} more` : named;
}

/** A warning when any question is touched. */
export function warnIf(
  questions: number,
  { code, message }: Omit<Warning, 'questions'>,
): readonly Warning[] {
  return questions > 0 ? [{ code, message, questions }] : [];
}
