import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createCsvQrelsParser,
  csvQrelsHeader,
  formatCsvQrels,
} from '../../../../src/ir/interchange/csv-qrels.ts';
import {
  createCsvReader,
  formatCsvRecord,
  type CsvRecord,
} from '../../../../src/ir/interchange/csv-records.ts';
import {
  createCsvRunParser,
  csvRunHeader,
  formatCsvHit,
} from '../../../../src/ir/interchange/csv-run.ts';
import { anyGrade, anyId, anyScore } from './ids.ts';

/** Reads a text in chunks of so many characters. */
function readCsv(text: string, chunkSize = Infinity): readonly CsvRecord[] {
  const reader = createCsvReader();
  const size = Math.min(chunkSize, Math.max(1, text.length));
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
  return [...chunks.flatMap((chunk) => reader.add(chunk)), ...reader.end()];
}

function readFields(text: string): readonly (readonly string[])[] {
  return readCsv(text).map(({ fields }) => fields);
}

describe('createCsvReader', () => {
  // The examples of RFC 4180, section 2.
  it.each([
    [
      'aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n',
      [
        ['aaa', 'bbb', 'ccc'],
        ['zzz', 'yyy', 'xxx'],
      ],
    ],
    [
      'aaa,bbb,ccc\r\nzzz,yyy,xxx',
      [
        ['aaa', 'bbb', 'ccc'],
        ['zzz', 'yyy', 'xxx'],
      ],
    ],
    [
      '"aaa","bbb","ccc"\r\nzzz,yyy,xxx',
      [
        ['aaa', 'bbb', 'ccc'],
        ['zzz', 'yyy', 'xxx'],
      ],
    ],
    [
      '"aaa","b\r\nbb","ccc"\r\nzzz,yyy,xxx',
      [
        ['aaa', 'b\r\nbb', 'ccc'],
        ['zzz', 'yyy', 'xxx'],
      ],
    ],
    ['"aaa","b""bb","ccc"', [['aaa', 'b"bb', 'ccc']]],
    ['a, b ,c\n', [['a', ' b ', 'c']]],
    [',\n', [['', '']]],
    ['""\n', [['']]],
    ['a,""', [['a', '']]],
    ['a,', [['a', '']]],
    ['\n\r\na\n\n', [['a']]],
    ['', []],
    ['\uFEFFa,b', [['a', 'b']]],
    ['""""', [['"']]],
    ['"a,b"', [['a,b']]],
  ])('reads %j', (text, expected) => {
    expect(readFields(text)).toEqual(expected);
  });

  it('tells on which line a record starts', () => {
    expect(readCsv('a\n"b\nb"\n\nc').map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it.each([
    [
      'a quotation mark in a plain field',
      'a"b',
      'line 1: there is a quotation mark inside an unquoted field',
    ],
    ['text behind a quoted field', 'x\n"a"b', 'line 2: there is text after a quoted field'],
    ['an open quotation mark', '"a\n', 'line 2: a quotation mark is not closed'],
    ['a lone CR', 'a\rb', 'line 1: a carriage return is not followed by a line feed'],
    ['a CR at the end', 'a\r', 'line 1: a carriage return is not followed by a line feed'],
    ['an endless field', 'x'.repeat(2 ** 20 + 1), 'a field is longer than 1048576 characters'],
  ])('refuses %s', (_what, text, message) => {
    expect(() => readFields(text)).toThrow(message);
  });

  it('takes an empty chunk for nothing', () => {
    const reader = createCsvReader();
    expect(reader.add('')).toEqual([]);
    expect(reader.add('\uFEFFa\n')).toEqual([{ line: 1, fields: ['a'] }]);
  });

  it('reads what was written, however it is cut', () => {
    const field = fc.oneof(
      fc.string({ unit: 'binary' }),
      anyId,
      fc.constantFrom('', '"', '""', ',', '\n', '\r\n', '\r'),
    );
    const records = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    const end = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(records, end, fc.integer({ min: 1, max: 9 }), (written, lineEnd, size) => {
        const text = written.map((fields) => formatCsvRecord(fields) + lineEnd).join('');
        expect(readCsv(text, size).map(({ fields }) => fields)).toEqual(written);
      }),
    );
  });
});

describe('CSV qrels', () => {
  it('come back as they were written', () => {
    const entry = fc.record({ questionId: anyId, documentId: anyId, grade: anyGrade });
    fc.assert(
      fc.property(fc.array(entry), (judgments) => {
        const text = [csvQrelsHeader, ...judgments.map(formatCsvQrels)].join('\r\n');
        const [header, ...records] = readCsv(text);
        expect(records.map(createCsvQrelsParser(header!))).toEqual(judgments);
      }),
    );
  });

  it('may have their columns in another order', () => {
    const [header, record] = readCsv('Grade, document,question\n2,D1,q1\n');
    expect(createCsvQrelsParser(header!)(record!)).toEqual({
      questionId: 'q1',
      documentId: 'D1',
      grade: 2,
    });
  });

  it.each([
    'question;document;grade',
    'question,document',
    'question,document,grade,judge',
    'question,question,grade',
    'q1,D1,1',
  ])('refuse the header %j', (text) => {
    const [header] = readCsv(text);
    expect(() => createCsvQrelsParser(header!)).toThrow('instead of question,document,grade');
  });

  it.each([
    ['q1,D1', 'line 2: 2 columns instead of 3'],
    ['q1,D1,high', "line 2: the grade 'high' is not a whole number"],
    [',D1,1', 'line 2: the question id is empty'],
  ])('refuse the record %j', (text, message) => {
    const [header, record] = readCsv(`${csvQrelsHeader}\n${text}\n`);
    expect(() => createCsvQrelsParser(header!)(record!)).toThrow(message);
  });

  it.each([
    { questionId: '', documentId: 'D1', grade: 1 },
    { questionId: 'q1', documentId: '\udfff', grade: 1 },
    { questionId: 'q1', documentId: 'D1', grade: Number.NaN },
  ])('cannot hold %j', (entry) => {
    expect(() => formatCsvQrels(entry)).toThrow(/empty|Unicode|whole number/);
  });
});

describe('a CSV run', () => {
  it('comes back as it was written', () => {
    const entry = fc.record({ questionId: anyId, documentId: anyId, score: anyScore });
    fc.assert(
      fc.property(fc.array(entry), (hits) => {
        const text = [csvRunHeader, ...hits.map(formatCsvHit)].join('\n');
        const [header, ...records] = readCsv(text);
        expect(records.map(createCsvRunParser(header!))).toEqual(hits);
      }),
    );
  });

  it('may have ranks in place of scores', () => {
    const [header, ...records] = readCsv('question,document,rank\nq1,D1,1\nq1,D2,4\n');
    expect(records.map(createCsvRunParser(header!))).toEqual([
      { questionId: 'q1', documentId: 'D1', score: 1 },
      { questionId: 'q1', documentId: 'D2', score: 0.25 },
    ]);
  });

  it.each([
    ['rank', '0', "the rank '0' is not a whole number of 1 or more"],
    ['rank', '1.0', "the rank '1.0' is not"],
    ['rank', '99999999999999999999', 'is not a whole number of 1 or more'],
    ['score', 'NaN', "the score 'NaN' is not a finite number"],
    ['score', '1e999', "the score '1e999' is not a finite number"],
    ['score', '', "the score '' is not a finite number"],
  ])('refuses the %s %j', (column, text, message) => {
    const [header, record] = readCsv(`question,document,${column}\nq1,D1,${text}\n`);
    expect(() => createCsvRunParser(header!)(record!)).toThrow(message);
  });

  it('cannot hold a score that is not finite', () => {
    const hit = { questionId: 'q1', documentId: 'D1', score: -Infinity };
    expect(() => formatCsvHit(hit)).toThrow('is not a finite number');
  });
});
