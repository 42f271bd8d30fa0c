import { z } from 'zod';

import type { Immutable } from './immutable.ts';

/** `error`: the number means nothing; `warning`: it may mislead; `note`: good to know. The strongest first. */
export const severities = ['error', 'warning', 'note'] as const;
export type Severity = (typeof severities)[number];

/**
 * Every warning, with the severity that it has unless it says otherwise. `docs/guide.md` has the same table.
 */
export const warningSeverities = {
  'questions-not-in-run': 'warning',
  'questions-not-in-set': 'note',
  'no-lexicon': 'warning',
  'unknown-filter-key': 'warning',
  'filter-passes-nothing': 'warning',
  'no-document-ids': 'error',
  'nothing-returned': 'error',
  'no-judged-document-returned': 'error',
  'near-miss-ids': 'warning',
  'rising-scores': 'error',
  'tied-scores': 'warning',
  'repeated-ranks': 'warning',
  'unsearched-questions': 'warning',
  'unknown-users': 'warning',
  'unused-history': 'warning',
  'depth-below-cutoff': 'warning',
  'short-ranking': 'warning',
  'cut-ranking': 'warning',
  'volatile-document-ids': 'warning',
  'unmapped-chunks': 'warning',
  'scores-not-comparable': 'warning',
  'several-document-ids': 'warning',
  'shared-document-ids': 'warning',
  'unanswered-filters': 'warning',
  'above-documented-limit': 'warning',
  'low-judged': 'warning',
  'pool-bias': 'warning',
  'unknown-judged-documents': 'warning',
  'no-relevant-document': 'warning',
  leaks: 'warning',
  'ignored-filter-fields': 'warning',
  'stage-fallback': 'warning',
  'dropped-code': 'note',
  'pointless-stage': 'note',
  'unlabelled-questions': 'note',
  'perfect-mean': 'note',
  'trimmed-ids': 'warning',
  'rows-without-grade': 'warning',
  'repeated-lines': 'warning',
  'repeated-judgments': 'warning',
  'no-grade-column': 'warning',
  'no-question-text': 'warning',
  'mapped-grades': 'note',
  'ignored-columns': 'note',
  'dropped-metadata': 'note',
} as const satisfies Readonly<Record<string, Severity>>;

export type WarningCode = keyof typeof warningSeverities;

/** Something a reader must know beside a number. `code` is stable. */
export interface Warning {
  readonly code: WarningCode;
  readonly severity: Severity;
  readonly message: string;
  /** How many questions it touches. */
  readonly questions: number;
  /** `tied-scores`: between which values each mean would lie if equal scores came in another order. */
  readonly ranges?: Readonly<Record<string, { readonly low: number; readonly high: number }>>;
}

/** A warning before it is known how many questions it touches. */
export type WarningText = Pick<Warning, 'code' | 'message' | 'ranges'> & {
  /** Default: that of the code. */
  readonly severity?: Severity | undefined;
};

export function toWarning(
  { code, message, ranges, severity = warningSeverities[code] }: WarningText,
  questions: number,
): Warning {
  return { code, severity, message, questions, ...(ranges && { ranges }) };
}

/** A warning when any question is touched. */
export function warnIf(questions: number, text: WarningText): readonly Warning[] {
  return questions > 0 ? [toWarning(text, questions)] : [];
}

/** A few of many ids, for a message. */
export function nameSome(ids: Iterable<string>, most = 5): string {
  const all = [...ids];
  const named = all.slice(0, most).join(', ');
  return all.length > most ? `${named} and ${all.length - most} more` : named;
}

/**
 * What each error explains. A warning that is explained says nothing new: of rankings that are all empty, a
 * warning that they are short adds nothing.
 */
const consequences: Partial<Readonly<Record<WarningCode, readonly WarningCode[]>>> = {
  'questions-not-in-run': ['nothing-returned', 'short-ranking'],
  'no-lexicon': ['nothing-returned', 'short-ranking'],
  'filter-passes-nothing': ['nothing-returned', 'short-ranking', 'unknown-filter-key'],
  'nothing-returned': ['short-ranking'],
  'no-document-ids': ['no-judged-document-returned', 'unmapped-chunks', 'low-judged'],
  'unmapped-chunks': ['no-judged-document-returned', 'low-judged'],
  'no-judged-document-returned': ['low-judged'],
};

/** The strongest first, those of one severity in the order given; without those that a stronger one explains. */
export function orderWarnings<Some extends Warning>(warnings: readonly Some[]): readonly Some[] {
  const errors = warnings.filter(({ severity }) => severity === 'error');
  const explained = new Set(errors.flatMap(({ code }) => consequences[code] ?? []));
  return warnings
    .filter(({ code }) => !explained.has(code))
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

/** A warning as it is stored, which may be older than severities. */
export const StoredWarning = z.object({
  code: z.custom<WarningCode>((code) => typeof code === 'string'),
  severity: z.enum(severities).exactOptional(),
  message: z.string(),
  questions: z.number(),
  ranges: z.record(z.string(), z.object({ low: z.number(), high: z.number() })).exactOptional(),
});

export function completeWarning(stored: Immutable<z.infer<typeof StoredWarning>>): Warning {
  return { ...stored, severity: stored.severity ?? warningSeverities[stored.code] ?? 'warning' };
}
