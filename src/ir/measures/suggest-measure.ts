import { countEdits } from '../count-edits.ts';
import { rewriteForeignName } from './names-elsewhere.ts';
import { parseMeasure } from './parse-measure.ts';
import { measureFamilies } from './registry.ts';

/**
 * The measure that a misspelt name most likely means; undefined if none is close. The word before the first
 * bracket or `@` may differ from a family or alias by one edit from three characters on, by two from six.
 */
export function suggestMeasure(name: string): string | undefined {
  const spelt = parseMeasure(name.trim().replace(/^([a-z][a-z_-]*?)[\s_-]?(\d{1,5})$/i, '$1@$2'));
  if (spelt) return spelt.name;
  const text = rewriteForeignName(name) ?? name;
  const [, word = '', rest = ''] = /^([a-z0-9_-]{1,32})(.*)$/i.exec(text.trim()) ?? [];
  const nearest = findNearest(word.toLowerCase());
  if (nearest === undefined) return undefined;
  const candidates = [nearest + rest, `${nearest}@10`, nearest, `${nearest}(0.8)`];
  return candidates.map(parseMeasure).find((measure) => measure !== undefined)?.name;
}

function findNearest(word: string): string | undefined {
  const known = measureFamilies.flatMap(({ name, aliases }) => [name, ...aliases]);
  const allowed = word.length < 3 ? 0 : word.length < 6 ? 1 : 2;
  const [nearest] = known
    .map((text) => ({ text, edits: countEdits(word, text.toLowerCase()) }))
    .filter(({ edits }) => edits <= allowed)
    .toSorted((a, b) => a.edits - b.edits);
  return nearest?.text;
}
