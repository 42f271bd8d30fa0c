import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  formatBeirDocument,
  formatBeirQuestion,
  parseBeirDocument,
  parseBeirQuestion,
} from '../../../../src/ir/interchange/beir-jsonl.ts';
import { formatBeirQrelsLine } from '../../../../src/ir/interchange/beir-qrels.ts';
import { InterchangeError } from '../../../../src/ir/interchange/interchange-error.ts';
import { anyId } from '../../interchange/ids.ts';

describe('BEIR qrels', () => {
  it.each([
    [{ questionId: 'q\t1', documentId: 'D1', grade: 1 }, 'contains a tab or a line end'],
    [{ questionId: 'q1', documentId: 'D\n1', grade: 1 }, 'contains a tab or a line end'],
    [{ questionId: '"q1', documentId: 'D1', grade: 1 }, 'starts with a quotation mark'],
    [{ questionId: '', documentId: 'D1', grade: 1 }, 'the question id is empty'],
    [{ questionId: 'q1', documentId: '\ud800', grade: 1 }, 'is not valid Unicode'],
    [{ questionId: 'q1', documentId: 'D1', grade: 0.5 }, "the grade '0.5' is not a whole number"],
  ])('cannot hold %j', (entry, message) => {
    expect(() => formatBeirQrelsLine(entry)).toThrow(message);
  });
});

const metadata = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
  noNullPrototype: true,
});

describe('BEIR questions and documents', () => {
  it('come back as they were written', () => {
    const question = fc.record(
      { questionId: anyId, text: fc.string(), metadata },
      { requiredKeys: ['questionId', 'text'] },
    );
    const document = fc.record(
      { documentId: anyId, title: fc.string(), text: fc.string(), metadata },
      { requiredKeys: ['documentId', 'title', 'text'] },
    );
    fc.assert(
      fc.property(question, document, (asked, held) => {
        expect(parseBeirQuestion(`${formatBeirQuestion(asked)}\n`)).toEqual(asked);
        expect(parseBeirDocument(`${formatBeirDocument(held)}\r\n`)).toEqual(held);
      }),
    );
  });

  it('are one line each', () => {
    expect(formatBeirQuestion({ questionId: 'a\nb', text: 'x\r\ny' })).not.toMatch(/[\r\n]/);
  });

  it('may have numbers for ids and no title', () => {
    expect(parseBeirQuestion('{"_id": 7, "text": "t"}')).toEqual({ questionId: '7', text: 't' });
    expect(parseBeirDocument('{"_id": "7", "text": "t"}')).toEqual({
      documentId: '7',
      title: '',
      text: 't',
    });
  });

  it('may have null for metadata', () => {
    expect(parseBeirQuestion('{"_id":"q1","text":"valve stuck","metadata":null}')).toEqual({
      questionId: 'q1',
      text: 'valve stuck',
    });
  });

  it('have no blank lines', () => {
    expect(parseBeirQuestion(' \n')).toBeUndefined();
    expect(parseBeirDocument('')).toBeUndefined();
  });

  it.each([
    ['[]', 'the line is not a JSON object'],
    ['{"_id": "1"', 'the line is not JSON'],
    ['{"_id": "1"}', "the field 'text' is not text"],
    ['{"_id": "", "text": "t"}', 'the question id is empty'],
    ['{"_id": 1.5, "text": "t"}', 'neither text nor a whole number'],
    ['{"text": "t"}', 'neither text nor a whole number'],
    ['{"_id": "1", "text": "t", "metadata": []}', "the field 'metadata' is not an object"],
    [
      '{"_id": "1", "text": "t", "title": "x"}',
      "unknown field 'title'; known fields are _id, text, metadata",
    ],
  ])('refuse the question %s', (line, message) => {
    expect(() => parseBeirQuestion(line)).toThrow(InterchangeError);
    expect(() => parseBeirQuestion(line)).toThrow(message);
  });

  it('refuse a document with a title that is not text', () => {
    expect(() => parseBeirDocument('{"_id": "1", "text": "t", "title": 1}')).toThrow(
      "'title' is not text",
    );
  });
});
