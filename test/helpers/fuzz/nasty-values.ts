import fc from 'fast-check';

/** Texts that programs trip over: no text at all, forms of Unicode, what other languages would read as code. */
const nastyTexts = [
  '',
  ' ',
  '\t',
  'Prüfplan für Öl',
  'Pru\u0308fplan fu\u0308r O\u0308l',
  '\ud83d',
  'x\udc00y',
  '\0',
  'a\0b',
  '\u{1d518}\u{1f469}\u200d\u{1f680}',
  '\u202egnirts',
  '\ufeffbom',
  '\u2028\u2029\u0085',
  '\r\n',
  '__proto__',
  'constructor',
  'toString',
  "'; drop table question; --",
  '=cmd|/c calc',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00%zz',
  '${x}{{x}}',
  'null',
  'NaN',
  '1e999',
  '-0',
  '2026-02-30T25:61:61Z',
  'x'.repeat(600),
  'ü'.repeat(5000),
] as const;

const nastyNumbers = [
  0,
  -0,
  -1,
  0.5,
  1e-320,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  1e21,
  1e308,
  -1e308,
  Number.MIN_SAFE_INTEGER,
] as const;

export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom<string>(...nastyTexts),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

export const nastyNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom<number>(...nastyNumbers),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
);

/** Any JSON value, of a type that nobody asked for. */
export const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  nastyNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null]),
  fc.nat(60).map(nest),
  fc.jsonValue({ maxDepth: 3 }),
);

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
