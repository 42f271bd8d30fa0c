import { defaultRelevantFrom } from '../qrels.ts';
import type { MeasureFamily } from './measure-family.ts';
import { condense } from './judged-ranking.ts';
import type { Compute, Measure, MeasureParts } from './measure.ts';
import { rewriteForeignName } from './names-elsewhere.ts';
import { findFamily } from './registry.ts';

export const highestCutoff = 10_000;
const highestRelevantFrom = 100;

/** Decimals of RBP's p: as many as a double gives back unchanged. */
const persistenceDecimals = 15;

const namePattern = /^([a-z0-9_-]+)(?:\(([a-z0-9=.,_]+)\))?(?:@([0-9]{1,5}))?$/i;
const wholeNumber = /^[1-9][0-9]{0,4}$/;
const relevantFromOption = /^rel=([0-9]{1,3})$/i;
const judgedOption = /^judged(?:_only=true)?$/i;
const unjudgedOption = /^judged_only=false$/i;
const persistenceOption = /^(?:p=)?(0\.[0-9]{1,15})$/i;

/**
 * Reads a name such as `nDCG@10`, `nDCG(judged)@10`, `P(rel=2)@5`, `RBP(0.8)` or `RBP(0.8,rel=2)`; undefined when it names
 * no measure. Case does not matter, aliases and the forms of other tools are understood, blanks inside are not. The measure's own `name` is
 * canonical: one measure, one name.
 */
export function parseMeasure(text: string): Measure | undefined {
  const foreign = rewriteForeignName(text);
  return parseName(text) ?? (foreign === undefined ? undefined : parseName(foreign));
}

function parseName(text: string): Measure | undefined {
  const [, word = '', options, digits] = namePattern.exec(text) ?? [];
  const family = findFamily(word);
  if (family === undefined) return undefined;
  const cutoff = digits === undefined ? undefined : parseWholeNumber(digits, highestCutoff);
  if (!takesCutoff(family, { isGiven: digits !== undefined, cutoff })) return undefined;
  const parsed = parseOptions(family, options?.split(',') ?? []);
  return parsed && createMeasure(family, { family: family.name, cutoff, ...parsed });
}

/** The canonical name of a measure. `(rel=1)` is the default and is left out; `judged` comes last. */
export function formatMeasure(parts: MeasureParts): string {
  const { family, cutoff, relevantFrom, persistence, judgedOnly } = parts;
  const options = [
    ...(persistence === undefined ? [] : [formatPersistence(persistence)]),
    ...(relevantFrom === defaultRelevantFrom ? [] : [`rel=${relevantFrom}`]),
    ...(judgedOnly ? ['judged'] : []),
  ];
  const inBrackets = options.length === 0 ? '' : `(${options.join(',')})`;
  return `${family}${inBrackets}${cutoff === undefined ? '' : `@${cutoff}`}`;
}

/** The measure over judged documents alone; the measure itself where its family has no such form. */
export function toJudgedForm(measure: Measure): Measure {
  const family = findFamily(measure.family);
  return family?.hasJudgedForm ? createMeasure(family, { ...measure, judgedOnly: true }) : measure;
}

function createMeasure(family: MeasureFamily, parts: MeasureParts): Measure {
  const compute = family.build({
    depth: parts.cutoff ?? Infinity,
    relevantFrom: parts.relevantFrom,
    persistence: parts.persistence ?? 0,
  });
  return {
    ...parts,
    name: formatMeasure(parts),
    compute: parts.judgedOnly ? ofJudged(compute) : compute,
  };
}

function ofJudged(compute: Compute): Compute {
  return (judged, context) => compute(condense(judged), context);
}

function takesCutoff(
  family: MeasureFamily,
  { isGiven, cutoff }: { readonly isGiven: boolean; readonly cutoff: number | undefined },
): boolean {
  if (!isGiven) return family.cutoff !== 'required';
  return family.cutoff !== 'none' && cutoff !== undefined;
}

type Options = Pick<MeasureParts, 'relevantFrom' | 'persistence' | 'judgedOnly'>;

function parseOptions(family: MeasureFamily, options: readonly string[]): Options | undefined {
  const [first, ...others] = options;
  const persistence = family.hasPersistence ? parsePersistence(first) : undefined;
  if (family.hasPersistence && persistence === undefined) return undefined;
  const rest = family.hasPersistence ? others : options;
  const levels = rest.filter(
    (option) => !judgedOption.test(option) && !unjudgedOption.test(option),
  );
  const judgedOnly = rest.some((option) => judgedOption.test(option));
  const relevantFrom = parseLevel(family, levels);
  if (rest.length - levels.length > 1 || relevantFrom === undefined) return undefined;
  if (!family.hasJudgedForm && judgedOnly) return undefined;
  return { relevantFrom, persistence, judgedOnly };
}

function parseLevel(family: MeasureFamily, levels: readonly string[]): number | undefined {
  if (levels.length === 0) return defaultRelevantFrom;
  return levels.length === 1 && family.isBinary ? parseRelevantFrom(levels[0]) : undefined;
}

function parseRelevantFrom(option = ''): number | undefined {
  const digits = relevantFromOption.exec(option)?.[1] ?? '';
  return parseWholeNumber(digits, highestRelevantFrom);
}

function parsePersistence(option = ''): number | undefined {
  const persistence = Number(persistenceOption.exec(option)?.[1] ?? 0);
  return persistence > 0 ? persistence : undefined;
}

/** The shortest decimal form, never with an exponent. */
function formatPersistence(persistence: number): string {
  return persistence.toFixed(persistenceDecimals).replace(/0+$/, '');
}

function parseWholeNumber(digits: string, highest: number): number | undefined {
  if (!wholeNumber.test(digits)) return undefined;
  const value = Number(digits);
  return value <= highest ? value : undefined;
}
