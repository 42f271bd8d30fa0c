import fc from 'fast-check';

import { bodiesOf, type Body } from './bodies.ts';
import { disposableNames, pickFrom, seedName } from './known-values.ts';
import { nastyNumber, nastyText } from './nasty-values.ts';
import type { Method, Operation } from './operations.ts';
import { names, valuesOf, type ValueOptions } from './schema-values.ts';

export interface FuzzRequest {
  readonly operation: Operation;
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** Requests of one operation: an address, headers and a body, each mostly right and sometimes not. */
export function requestsOf(operation: Operation, options: ValueOptions): fc.Arbitrary<FuzzRequest> {
  const parts = fc.tuple(
    pathsOf(operation, options),
    queriesOf(operation, options),
    headersOf(operation, options),
    bodiesOf(operation, options),
  );
  return parts.map(([path, query, headers, body]) => ({
    operation,
    method: operation.method,
    url: query === '' ? path : `${path}?${query}`,
    headers: { ...headers, ...bodyHeaders(body) },
    body: body?.bytes,
  }));
}

function bodyHeaders(body: Body | undefined): Record<string, string> {
  if (!body) return {};
  const { type, encoding } = body;
  return { 'content-type': type, ...(encoding !== undefined && { 'content-encoding': encoding }) };
}

function pathsOf(operation: Operation, options: ValueOptions): fc.Arbitrary<string> {
  const parts = operation.path.split(/(?=\{)|(?<=\})/);
  const texts = parts.map((part) =>
    part.startsWith('{') ? segmentsOf(part.slice(1, -1), operation, options) : fc.constant(part),
  );
  return fc.tuple(...texts).map((pieces) => pieces.join(''));
}

const oddSegments = ['%', '%zz', '%00', '%c0%af', '%2e%2e%2fx', 'a/b', '', 'x'.repeat(300)];

function segmentsOf(
  name: string,
  { method, parameters }: Operation,
  options: ValueOptions,
): fc.Arbitrary<string> {
  const schema = parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {};
  const isId = schema.$ref === undefined;
  const known = isId ? pickFrom(options.known.evaluations, 'none') : names;
  // What is deleted would be missing for every request behind it.
  const spared = isId ? known : fc.constantFrom(...disposableNames);
  return fc.oneof(
    { weight: 12, arbitrary: method === 'DELETE' ? spared : known },
    { weight: 1, arbitrary: nastyText.map((text) => encodeURIComponent(text.toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom(...oddSegments) },
  );
}

function queriesOf(operation: Operation, options: ValueOptions): fc.Arbitrary<string> {
  const declared = operation.parameters.filter((one) => one.in === 'query');
  const pairs = declared.map(({ name, required, schema }) => {
    const nasty = fc.oneof(nastyText, nastyNumber.map(String));
    const fit = valuesOf(schema, options, { field: name });
    const value = fc.oneof({ weight: 8, arbitrary: fit }, { weight: 1, arbitrary: nasty });
    const pair = value.map((one) => [toPair(name, one)]);
    const none = fc.constant<string[]>([]);
    return fc.oneof(
      { weight: required === true ? 60 : 6, arbitrary: pair },
      { weight: 12, arbitrary: none },
      { weight: 1, arbitrary: pair.map((one) => [...one, ...one]) },
    );
  });
  const odd = fc.constantFrom('x=1', '__proto__=1', 'limit', '%', '&&&', 'a[b]=1', '=', '#');
  const extra = fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: odd });
  return fc
    .tuple(fc.tuple(...pairs), extra)
    .map(([list, more]) => [...list.flat(), more].filter((one) => one !== '').join('&'));
}

function toPair(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${name}=${encodeURIComponent(text.toWellFormed())}`;
}

/** The one that the service is bound to. */
export const schedulerHost = 'https://scheduler.example.com';

/** Headers that any route may be sent; the waits are short, because they are honoured. */
const anyHeaders: Readonly<Record<string, readonly string[]>> = {
  prefer: ['wait=1', 'wait=2', 'wait', 'wait=-1', 'wait=1e9', 'respond-async, wait="1"', ',,=;'],
  accept: [
    '*/*',
    'text/plain',
    'text/csv;q=0.5',
    'application/x-ndjson',
    'a/b',
    ';;q=x',
    '',
    'text/event-stream',
  ],
  'if-none-match': ['*', '"x"', 'W/"', ','],
  'accept-encoding': ['gzip', 'br;q=1.0', 'identity;q=0'],
  'x-correlationid': ['abc', 'x'.repeat(2000), 'ü {"a":1}'],
  'x-forwarded-for': ['1.2.3.4', '::1, x'],
  authorization: ['Bearer x', 'Basic eDp5', 'Bearer'],
  'x-http-method-override': ['DELETE'],
  range: ['bytes=0-1', 'bytes=9-0'],
  expect: ['200-ok'],
  'x-sap-scheduler-host': [schedulerHost, schedulerHost, 'https://other.example.com'],
};

function headersOf(
  operation: Operation,
  { known }: ValueOptions,
): fc.Arbitrary<Record<string, string>> {
  const declared = operation.parameters.filter((one) => one.in === 'header');
  const sent = {
    ...anyHeaders,
    'idempotency-key': ['k1', 'k2', 'k3', seedName, ' ', 'x'.repeat(300)],
    ...Object.fromEntries(
      declared.filter(({ name }) => !(name in anyHeaders)).map(({ name }) => [name, ['1', 'x']]),
    ),
  };
  const fields = Object.entries(sent).map(([name, values]) => {
    const text = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...values) },
      { weight: 1, arbitrary: garbage },
      ...(name === 'if-none-match'
        ? [{ weight: 5, arbitrary: pickFrom(known.entityTags, '"x"') }]
        : []),
    );
    const own = declared.find((one) => one.name === name);
    const some = fc.oneof(
      { weight: weightOfNone(own), arbitrary: fc.constant(undefined) },
      { weight: 10, arbitrary: text },
    );
    return [name, some] as const;
  });
  return fc.record(Object.fromEntries(fields)).map((headers) => {
    const given = Object.entries(headers).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as Record<string, string>;
  });
}

function weightOfNone(declared: Operation['parameters'][number] | undefined): number {
  if (!declared) return 90;
  return declared.required === true ? 1 : 20;
}

/** Every byte that a header may hold on the wire. */
const garbage = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
    maxLength: 40,
  })
  .map((codes) => String.fromCodePoint(...codes));
