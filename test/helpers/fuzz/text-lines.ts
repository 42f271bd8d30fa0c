import fc from 'fast-check';

import { nastyNumber, nastyText } from './nasty-values.ts';

const cell: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('q1', 'q2', 'q3', 'P1', 'P2', 'P3') },
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 5 }).map(String) },
  { weight: 2, arbitrary: nastyNumber.map(String) },
  { weight: 1, arbitrary: nastyText },
  { weight: 1, arbitrary: fc.constantFrom('"', '"a""b"', '"open', 'Infinity', '0x10', '1_000') },
);

/** Texts of lines that look like an example: its header, its separator, and about as many cells a line. */
export function textLines(example: string): fc.Arbitrary<string> {
  const lines = example.split('\n');
  const header = lines.length > 1 ? [lines[0] ?? ''] : [];
  const row = lines.at(-1) ?? '';
  const separator = ['\t', ','].find((one) => row.includes(one)) ?? ' ';
  const cells = row.split(separator);
  const rows = fc.tuple(...cells.map((own, index) => cellLike(own, index)));
  const wrong = fc.array(cell, { maxLength: cells.length + 2 });
  const line = fc.oneof({ weight: 8, arbitrary: rows }, { weight: 1, arbitrary: wrong });
  const ends = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', '\n\n');
  const heads = fc.constantFrom(header, header, header, [], [...header].toReversed(), ['\ufeff']);
  return fc
    .tuple(heads, fc.array(line, { maxLength: 6 }), ends)
    .map(([head, body, end]) => [...head, ...body.map((one) => one.join(separator))].join(end));
}

/** Questions in the first column, documents in the others, numbers where the example has them. */
function cellLike(own: string, index: number): fc.Arbitrary<string> {
  const isNumber = own !== '' && Number.isFinite(Number(own));
  const ids = index === 0 ? ['q1', 'q2', 'q3'] : ['P1', 'P2', 'P3', own];
  const fit = isNumber ? fc.integer({ min: 0, max: 3 }).map(String) : fc.constantFrom(...ids);
  return fc.oneof({ weight: 9, arbitrary: fit }, { weight: 1, arbitrary: cell });
}
