import { gzipSync } from 'node:zlib';

import fc from 'fast-check';

import { goodBodiesOf } from './good-bodies.ts';
import { mutated } from './mutations.ts';
import { nastyText, nastyValue } from './nasty-values.ts';
import { resolve, type Operation, type Schema } from './operations.ts';
import { valuesOf, type ValueOptions } from './schema-values.ts';
import { textLines } from './text-lines.ts';

export interface Body {
  readonly type: string;
  readonly encoding?: string;
  readonly bytes: Buffer;
}

type Plain = Pick<Body, 'type' | 'bytes'>;

const otherTypes = [
  'application/xml',
  'text/plain',
  'application/x-ndjson',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'json',
  ';;;',
  '*/*',
  '',
] as const;

/** Bodies for an operation: most as the document describes them, or nearly; some that are none at all. */
export function bodiesOf(
  operation: Operation,
  options: ValueOptions,
): fc.Arbitrary<Body | undefined> {
  const contents = Object.entries(operation.requestBody?.content ?? {});
  const described = contents.map(([type, { schema = {} }]) => {
    const text =
      type === 'application/json'
        ? jsonOf(operation.operationId, schema, options)
        : linesOf(type, contents, options);
    return text.map((written): Plain => ({ type, bytes: Buffer.from(written) }));
  });
  const plain = fc.oneof(...described.map((arbitrary) => ({ weight: 12, arbitrary })), {
    weight: 1,
    arbitrary: junk,
  });
  const none = { weight: described.length > 0 ? 1 : 300, arbitrary: fc.constant(undefined) };
  return fc.oneof(none, { weight: 12, arbitrary: plain.chain(encoded) });
}

function jsonOf(operationId: string, schema: Schema, options: ValueOptions): fc.Arbitrary<string> {
  const good = goodBodiesOf(operationId, options.known);
  const values = fc.oneof(
    ...[exampleOf(schema, options), valuesOf(schema, options), good].filter(isThere),
  );
  return fc.oneof(
    { weight: 6, arbitrary: values.map(toJson) },
    { weight: 6, arbitrary: mutated(values).map(toJson) },
    { weight: 1, arbitrary: nastyValue.map(toJson) },
    { weight: 1, arbitrary: fc.constantFrom(...brokenJson) },
  );
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

function toJson(value: unknown): string {
  return JSON.stringify(value);
}

const brokenJson = [
  '{',
  '[1,]',
  '{"a":1e999}',
  '{"a":-0,"a":1}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '\ufeff{}',
  '"\\ud800"',
  'nul',
  ' ',
  `${'['.repeat(3000)}${']'.repeat(3000)}`,
  `{"a":${'9'.repeat(400)}}`,
] as const;

/** Its own example, where it has one. */
function exampleOf(
  schema: Schema,
  { components }: ValueOptions,
): fc.Arbitrary<unknown> | undefined {
  const { example } = resolve(schema, components);
  return example === undefined ? undefined : fc.constant(example);
}

type Contents = readonly (readonly [string, { readonly schema?: Schema }])[];

/** Lines of JSON hold what the first list of the JSON body holds; other text looks like its example. */
function linesOf(type: string, contents: Contents, options: ValueOptions): fc.Arbitrary<string> {
  const json = contents.find(([other]) => other === 'application/json')?.[1].schema ?? {};
  const lists = Object.values(resolve(json, options.components).properties ?? {});
  const item = lists.map(({ items }) => items).find((items) => typeof items === 'object');
  if (type === 'application/x-ndjson' && item) {
    const lines = fc.array(jsonOf('', item, options), { maxLength: 6 });
    return lines.map((texts) => texts.join('\n'));
  }
  const example = contents.find(([other]) => other === type)?.[1].schema?.example;
  return textLines(typeof example === 'string' ? example : '');
}

const junk: fc.Arbitrary<Plain> = fc.record({
  type: fc.constantFrom(...otherTypes),
  bytes: fc.oneof(
    nastyText.map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  ),
});

/** As it is most of the time; also packed, torn, of another type or in another encoding than it says. */
function encoded(plain: Plain): fc.Arbitrary<Body> {
  const { bytes, type } = plain;
  const packed = gzipSync(bytes);
  const half = Math.ceil(packed.length / 2);
  const variants: readonly Body[] = [
    { type, encoding: 'gzip', bytes: packed },
    { type, encoding: 'GZIP ', bytes: packed },
    { type, encoding: 'gzip', bytes: packed.subarray(0, half) },
    { type, encoding: 'gzip', bytes: Buffer.concat([packed.subarray(0, half), bytes]) },
    { type, encoding: 'gzip', bytes },
    { type, encoding: 'gzip, gzip', bytes: gzipSync(packed) },
    { type, encoding: 'br', bytes },
    { type, bytes: packed },
    { type, bytes: Buffer.from(bytes.toString(), 'utf16le') },
    {
      type,
      bytes: Buffer.concat([bytes.subarray(0, 9), Buffer.from([0xc3, 0x28]), bytes.subarray(9)]),
    },
    { type: `${type}; charset=iso-8859-1`, bytes },
    { type: type.toUpperCase(), bytes },
    ...otherTypes.map((other) => ({ type: other, bytes })),
  ];
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant<Body>(plain) },
    { weight: 1, arbitrary: fc.constantFrom(...variants) },
  );
}
