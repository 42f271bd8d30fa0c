import { InvalidInputError } from '../../errors.ts';
import { expandCutoffs, withJudged } from '../../ir/measures/expand-cutoffs.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { findClosest } from '../../ir/measures/names-elsewhere.ts';
import { parseMeasure } from '../../ir/measures/parse-measure.ts';
import { suggestMeasure } from '../../ir/measures/suggest-measure.ts';

const defaultCutoffs = [3, 5, 10];

/**
 * The measures that a request means: those it names, each once, else the usual ones at its cut-offs.
 * judged@k is added for every cut-off in use.
 */
export function resolveMeasures(request: {
  readonly measures?: readonly string[] | undefined;
  readonly cutoffs?: readonly number[] | undefined;
}): readonly Measure[] {
  const chosen = request.measures
    ? parseMeasures(request.measures, '/body/measures')
    : expandCutoffs(request.cutoffs ?? defaultCutoffs);
  return withJudged(chosen);
}

/** Parses each name, or says which are none. Repeated ones are dropped. */
export function parseMeasures(names: readonly string[], pointer: string): readonly Measure[] {
  const parsed = names.map((name) => parseMeasure(name));
  const errors = names.flatMap((name, index) =>
    parsed[index] ? [] : [{ pointer: `${pointer}/${index}`, detail: explainUnknown(name) }],
  );
  if (errors.length > 0) throw new InvalidInputError('Unknown measures', errors);
  const byName = new Map(parsed.flatMap((measure) => (measure ? [[measure.name, measure]] : [])));
  return [...byName.values()];
}

/** Parses one name. */
export function parseOneMeasure(name: string, pointer: string): Measure {
  const measure = parseMeasure(name);
  if (measure) return measure;
  const errors = [{ pointer, detail: explainUnknown(name) }];
  throw new InvalidInputError('Unknown measure', errors);
}

function explainUnknown(name: string): string {
  const missing = findClosest(name);
  if (missing) {
    return `Measure '${name}' does not exist; the closest is ${missing.closest}: ${missing.why}`;
  }
  const suggestion = suggestMeasure(name);
  const hint =
    suggestion === undefined ? 'a name looks like nDCG@10.' : `did you mean ${suggestion}?`;
  return `Unknown measure '${name}'; ${hint} Cut-offs range from 1 to 10000; GET /v1/measures lists all measures`;
}
