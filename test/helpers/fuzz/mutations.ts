import fc from 'fast-check';

import { nastyText, nastyValue } from './nasty-values.ts';

/** What is done at one place of a JSON value. */
interface Mutation {
  /** Counts places in the order of a walk, modulo their number. */
  readonly place: number;
  readonly kind: 'replace' | 'remove' | 'add' | 'repeat';
  readonly key: string;
  readonly value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('replace', 'replace', 'remove', 'add', 'repeat'),
  key: nastyText,
  value: nastyValue,
});

/** The same values with one to three places changed for the worse. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });
  return fc.tuple(values, mutations).map(([value, list]) => list.reduce(mutate, value));
}

type Path = readonly (string | number)[];

function mutate(value: unknown, { place, kind, key, value: other }: Mutation): unknown {
  const paths = listPaths(value);
  const path = paths[place % paths.length] ?? [];
  return changeAt(value, path, (found) => {
    if (kind === 'replace') return other;
    if (Array.isArray(found)) {
      if (kind === 'repeat') return [...found, ...found];
      return kind === 'add' ? [...found, other] : found.slice(1);
    }
    if (typeof found !== 'object' || found === null) return other;
    const entries = Object.entries(found);
    if (kind === 'remove') return Object.fromEntries(entries.slice(1));
    // As own keys, whatever they are called.
    return Object.fromEntries([...entries, [key, other]]);
  });
}

function listPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  const read = value as Record<string | number, unknown>;
  return [path, ...keys.flatMap((key) => listPaths(read[key], [...path, key]))];
}

function changeAt(value: unknown, path: Path, change: (found: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === key ? changeAt(item, rest, change) : item,
    );
  }
  const entries = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, item]) => [name, name === key ? changeAt(item, rest, change) : item]),
  );
}
