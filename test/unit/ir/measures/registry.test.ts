import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { judgeRanking } from '../../../../src/ir/measures/judged-ranking.ts';
import { parseMeasure } from '../../../../src/ir/measures/parse-measure.ts';
import { findFamily, measureFamilies } from '../../../../src/ir/measures/registry.ts';

const documentation = readFileSync('docs/measures.md', 'utf8');

describe('measureFamilies', () => {
  it.each(measureFamilies)('$name is found by its name and aliases', (family) => {
    const words = [family.name, ...family.aliases].flatMap((word) => [word, word.toUpperCase()]);
    expect(words.map(findFamily)).toEqual(words.map(() => family));
  });

  it('give no word to two families', () => {
    const words = measureFamilies.flatMap(({ name, aliases }) => [name, ...aliases]);
    const distinct = new Set(words.map((word) => word.toLowerCase()));
    expect(distinct.size).toBe(words.length);
  });

  it.each(measureFamilies)('$name leaves no word of its explanation out', (family) => {
    const { summary, formula, range, ties, unjudged, negativeGrades, source } = family;
    const words = [summary, formula, range, ties, unjudged, negativeGrades, source];
    expect([...words, family.noRelevantDocument, family.shortRanking]).not.toContain('');
  });

  it.each(measureFamilies)('$name has its section in docs/measures.md', (family) => {
    const heading = family.pattern
      .split(', ')
      .map((form) => `\`${form}\``)
      .join(', ');
    const section = documentation.split('\n## ').find((each) => each.startsWith(`${heading}\n`));
    expect(section).toContain(family.summary);
    expect(section).toContain(family.formula);
    expect(section).toContain(family.unjudged);
    expect(section).toContain(family.negativeGrades);
    expect(section).toContain(family.noRelevantDocument);
    expect(section).toContain(family.shortRanking);
    expect(section).toContain(family.range);
    expect(section).toContain(family.source);
  });
});

describe('the worked example of docs/measures.md', () => {
  // P, R, RR, AP and nDCG as trec_eval 10.0 prints them, judged as ir_measures; the rest by hand.
  const judgments = new Map([
    ['D1', 2],
    ['D2', 0],
    ['D3', 1],
    ['D5', 3],
    ['D9', 1],
  ]);
  const judged = judgeRanking(['D3', 'D2', 'D7', 'D1', 'D5'], judgments);
  const example = documentation.split('\n## ').find((each) => each.startsWith('A worked example'))!;
  const rows = rowsOf(example);

  it.each(rows)('%s is %s', (name, value) => {
    expect(parseMeasure(name)!.compute(judged, { maxGrade: 3 }).toFixed(4)).toBe(value);
  });

  const condensed = documentation
    .split('\n## ')
    .find((each) => each.startsWith('Judged documents only'))!;

  it.each(rowsOf(condensed))('%s is %s', (name, value) => {
    expect(parseMeasure(name)!.compute(judged, { maxGrade: 3 }).toFixed(4)).toBe(value);
  });

  it('shows seven measures of judged documents', () => {
    expect(rowsOf(condensed)).toHaveLength(7);
  });

  it('shows every family', () => {
    const families = new Set(rows.map(([name]) => parseMeasure(name)!.family));
    expect([...families].toSorted()).toEqual(measureFamilies.map(({ name }) => name).toSorted());
  });
});

describe('the names of other tools in docs/measures.md', () => {
  const section = documentation
    .split('\n## ')
    .find((each) => each.startsWith('Names of other tools'))!;
  const rows = [...section.matchAll(/^\| `([^`]+)` +\|(.*)\|$/gm)].flatMap(
    ([, name = '', cells = '']) =>
      [...cells.matchAll(/`([^`]+)`/g)].map(([, alias = '']) => [alias, name] as const),
  );

  it.each(rows)('%s is answered as %s', (alias, name) => {
    expect(parseMeasure(alias)?.name).toBe(name);
    expect(parseMeasure(alias.toUpperCase())?.name).toBe(name);
  });

  it('has every family and every alias of the registry', () => {
    const aliases = rows.map(([alias]) => alias.toLowerCase());
    const missing = measureFamilies
      .flatMap((family) => family.aliases)
      .filter((word) => !aliases.some((alias) => alias.startsWith(word.toLowerCase())));
    const families = new Set(rows.map(([, name]) => parseMeasure(name)!.family));

    expect(missing).toEqual([]);
    expect([...families].toSorted()).toEqual(measureFamilies.map(({ name }) => name).toSorted());
  });
});

function rowsOf(section: string): readonly (readonly [string, string])[] {
  return [...section.matchAll(/^\| `([^`]+)` +\| ([0-9.]+) +\|/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
}

describe('findFamily', () => {
  it.each(['', 'rappel', '__proto__', 'toString'])('finds nothing for %j', (word) => {
    expect(findFamily(word)).toBeUndefined();
  });
});
