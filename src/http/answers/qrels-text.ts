import type { Readable } from 'node:stream';

import { beirQrelsHeader, formatBeirQrelsLine } from '../../ir/interchange/beir-qrels.ts';
import { csvQrelsHeader, formatCsvQrels } from '../../ir/interchange/csv-qrels.ts';
import { formatRanxJudgments } from '../../ir/interchange/ranx-json.ts';
import type { Question } from '../../model/question.ts';
import { formatQrelsLine, type QrelsEntry } from '../../ir/trec/qrels-line.ts';
import { streamObject } from './streams.ts';
import { writeText } from './text-answer.ts';

/** The forms that qrels are written in; the first is what a client gets who asks for none. */
export const qrelsTypes = [
  'text/plain',
  'text/csv',
  'text/tab-separated-values',
  'application/json',
] as const;
export type QrelsType = (typeof qrelsTypes)[number];

interface LineForm {
  readonly name: string;
  readonly header?: string;
  readonly format: (entry: QrelsEntry) => string;
}

const lineForms: Record<Exclude<QrelsType, 'application/json'>, LineForm> = {
  'text/plain': { name: 'TREC text', format: formatQrelsLine },
  'text/csv': { name: 'CSV', header: csvQrelsHeader, format: formatCsvQrels },
  'text/tab-separated-values': {
    name: 'qrels of BEIR',
    header: beirQrelsHeader,
    format: formatBeirQrelsLine,
  },
};

/** What each form loses, by its name in `losses`. */
export const qrelsLosses = {
  'text/plain': 'trec-qrels',
  'text/csv': 'csv-qrels',
  'text/tab-separated-values': 'beir-qrels',
  'application/json': 'ranx-qrels',
} as const satisfies Record<QrelsType, string>;

/** Writes the judgments of questions that can be read again and again. */
export async function writeQrels(
  read: () => AsyncIterable<Question>,
  type: QrelsType,
): Promise<Readable> {
  if (type === 'application/json') return streamObject(toMembers(read()));
  const form = lineForms[type];
  return writeText(form.name, () => toLines(read(), form));
}

async function* toLines(
  questions: AsyncIterable<Question>,
  { header, format }: LineForm,
): AsyncGenerator<string> {
  if (header !== undefined) yield `${header}\n`;
  for await (const { id: questionId, judgments } of questions) {
    const lines = judgments.map(({ documentId, grade }) =>
      format({ questionId, documentId, grade }),
    );
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }
}

async function* toMembers(questions: AsyncIterable<Question>): AsyncGenerator<string> {
  for await (const { id, judgments } of questions) {
    if (judgments.length === 0) continue;
    const grades = judgments.map(({ documentId, grade }) => [documentId, grade] as const);
    yield formatRanxJudgments(id, new Map(grades));
  }
}
