import fc from 'fast-check';

import { disposableNames, pickFrom, seedName, textsOf, type KnownValues } from './known-values.ts';
import { nastyText } from './nasty-values.ts';
import { resolve, type Components, type Schema } from './operations.ts';

export interface ValueOptions {
  readonly components: Components;
  readonly known: KnownValues;
}

const deepest = 12;

/** Values that mostly fit a schema: its optional fields seldom, its lists short, its names often known ones. */
export function valuesOf(
  schema: Schema,
  options: ValueOptions,
  { field = '', depth = 0 }: { readonly field?: string; readonly depth?: number } = {},
): fc.Arbitrary<unknown> {
  if (schema.$ref?.endsWith('/Name')) return names;
  const found = resolve(schema, options.components);
  const inner = (part: Schema, name = field) =>
    valuesOf(part, options, { field: name, depth: depth + 1 });
  if (depth > deepest) return fc.constant(null);
  if (found.const !== undefined) return fc.constant(found.const);
  if (found.enum) return fc.constantFrom(...found.enum);
  const branches = found.anyOf ?? found.oneOf;
  if (branches) return fc.oneof(...branches.map((branch) => inner(branch)));
  if (found.type === 'object') return objectsOf(found, inner);
  if (found.type === 'array') return listsOf(found, inner);
  if (found.type === 'boolean') return fc.boolean();
  if (found.type === 'integer' || found.type === 'number') return numbersOf(found);
  if (found.type === 'string') return stringsOf(found, field, options.known);
  return fc.jsonValue({ maxDepth: 1 });
}

export const names: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(seedName) },
  { weight: 3, arbitrary: fc.constantFrom(...disposableNames) },
  { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/) },
);

type Inner = (schema: Schema, field?: string) => fc.Arbitrary<unknown>;

const absent = Symbol('absent');

function objectsOf(schema: Schema, inner: Inner): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, property]) => {
    const value = inner(property, name);
    const kept = required.includes(name)
      ? value
      : fc.oneof({ weight: 3, arbitrary: fc.constant(absent) }, { weight: 1, arbitrary: value });
    return [name, kept] as const;
  });
  const known = fc
    .record(Object.fromEntries(fields))
    .map((value) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== absent)));
  if (typeof additionalProperties !== 'object') return known;
  const keys = schema.propertyNames ? inner(schema.propertyNames, 'id') : nastyText;
  const entries = fc.array(fc.tuple(keys, inner(additionalProperties)), { maxLength: 4 });
  return fc
    .tuple(known, entries)
    .map(([fixed, more]) => ({ ...fixed, ...Object.fromEntries(more as [string, unknown][]) }));
}

function listsOf(schema: Schema, inner: Inner): fc.Arbitrary<unknown> {
  const { prefixItems, items, minItems = 0, maxItems = 5 } = schema;
  if (prefixItems) return fc.tuple(...prefixItems.map((item) => inner(item)));
  const item = items ? inner(items) : nastyText;
  return fc.array(item, {
    minLength: minItems,
    maxLength: Math.max(minItems, Math.min(maxItems, 4)),
  });
}

function numbersOf(schema: Schema): fc.Arbitrary<number> {
  const { minimum = schema.exclusiveMinimum ?? -1000, maximum = 1e6 } = schema;
  const bounds = fc.constantFrom(minimum, maximum);
  const whole = { min: Math.ceil(minimum), max: Math.max(Math.ceil(minimum), Math.floor(maximum)) };
  const small = fc.integer({ ...whole, max: Math.min(whole.max, whole.min + 20) });
  const any =
    schema.type === 'integer'
      ? fc.integer(whole)
      : fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc.oneof({ weight: 3, arbitrary: small }, any, bounds);
}

function stringsOf(schema: Schema, field: string, known: KnownValues): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 1000, example } = schema;
  const ascii = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) });
  const nasty = nastyText.map((text) => text.slice(0, maxLength));
  const meant = textsOf(field, known);
  return fc.oneof(
    { weight: 2, arbitrary: typeof example === 'string' ? fc.constant(example) : ascii },
    { weight: 1, arbitrary: nasty },
    { weight: 1, arbitrary: pickFrom(known.evaluations, seedName) },
    ...(meant ? [{ weight: 8, arbitrary: meant }] : []),
  );
}
