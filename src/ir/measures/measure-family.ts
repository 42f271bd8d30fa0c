import type { Compute } from './measure.ts';

/** What the words of a name set for one measure of a family. */
export interface MeasureSettings {
  /** How many ranks are read: k, or Infinity without one. */
  readonly depth: number;
  readonly relevantFrom: number;
  /** RBP's p; 0 where the family has none. */
  readonly persistence: number;
}

/** What a measure is called elsewhere; null where a tool lacks it. */
export interface NamesElsewhere {
  readonly trecEval: string | null;
  readonly ranx: string | null;
  readonly irMeasures: string | null;
}

/** All measures that differ in their parameters only: how they are named, computed and explained. */
export interface MeasureFamily {
  /** The canonical word a name starts with. */
  readonly name: string;
  /** Every form of the name, k and p for the parameters. */
  readonly pattern: string;
  readonly aliases: readonly string[];
  readonly cutoff: 'required' | 'optional' | 'none';
  /** Whether grades count only as relevant or not, so that `(rel=n)` may move the threshold. */
  readonly isBinary: boolean;
  readonly hasPersistence: boolean;
  /** Whether `(judged)` makes another measure of it. */
  readonly hasJudgedForm: boolean;

  readonly summary: string;
  readonly formula: string;
  readonly range: string;
  readonly ties: string;
  readonly unjudged: string;
  readonly negativeGrades: string;
  readonly noRelevantDocument: string;
  readonly shortRanking: string;
  readonly namesElsewhere: NamesElsewhere;
  readonly source: string;

  readonly build: (settings: MeasureSettings) => Compute;
}

/** What holds for most families. */
export const defaultRules = {
  aliases: [],
  isBinary: true,
  hasPersistence: false,
  hasJudgedForm: true,
  range: '0 to 1',
  ties: 'Broken before the measure sees the ranking: an imported run by document id descending (UTF-8 bytes), a live one by document id ascending.',
  unjudged: 'Counts as not relevant.',
  negativeGrades: 'Not relevant.',
  noRelevantDocument: '0, and the question stays in the mean.',
} as const;

/** The pattern with `judged` as its last option; null where that is no measure of its own. */
export function formatJudgedForm({ pattern, hasJudgedForm }: MeasureFamily): string | null {
  if (!hasJudgedForm) return null;
  const forms = pattern.split(/, (?![^(]*\))/).map((form) => {
    const [name = '', cutoff] = form.split('@');
    const judged = name.endsWith(')') ? `${name.slice(0, -1)},judged)` : `${name}(judged)`;
    return cutoff === undefined ? judged : `${judged}@${cutoff}`;
  });
  return forms.join(', ');
}
