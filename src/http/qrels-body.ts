import type { Readable } from 'node:stream';

import { z } from 'zod';

import type { QrelsJudgment } from '../evaluation/import-qrels.ts';
import { checkBeirQrelsHeader, parseBeirQrelsLine } from '../ir/interchange/beir-qrels.ts';
import { createCsvQrelsParser } from '../ir/interchange/csv-qrels.ts';
import { parseQrelsLine, type QrelsEntry } from '../ir/trec/qrels-line.ts';
import type { QrelsInput } from '../schemas/qrels.ts';
import { Grade, Id } from '../schemas/vocabulary.ts';
import { readCsvEntries } from './csv-body.ts';
import { readEntryLines } from './entry-lines.ts';
import { readLines, type Entry } from './line-body.ts';

/** The texts that qrels are read from as streams, by media type. */
type QrelsType = 'text/plain' | 'text/csv' | 'text/tab-separated-values';

const schema = z.object({ questionId: Id, documentId: Id, grade: Grade });

const readers: Record<
  QrelsType,
  (body: Readable, maxBytes: number) => AsyncIterable<Entry<QrelsEntry>>
> = {
  'text/plain': (body, maxBytes) =>
    readEntryLines(readLines(body, maxBytes), { parse: parseQrelsLine, schema }),
  'text/csv': (body, maxBytes) =>
    readCsvEntries(body, maxBytes, { createParser: createCsvQrelsParser, schema }),
  'text/tab-separated-values': (body, maxBytes) =>
    readEntryLines(readLines(body, maxBytes), { parse: parseBeirLine, schema }),
};

/** Reads qrels of any text form; entries of one question may stand anywhere. */
export async function collectJudgments(
  body: Readable,
  type: string,
  maxBytes: number,
): Promise<ReadonlyMap<string, readonly QrelsJudgment[]>> {
  const judgments = new Map<string, QrelsJudgment[]>();
  const read = type in readers ? readers[type as QrelsType] : readers['text/plain'];
  for await (const { value, line } of read(body, maxBytes)) {
    const { questionId, documentId, grade } = value;
    const judged = judgments.get(questionId) ?? [];
    judged.push({ documentId, grade, line });
    judgments.set(questionId, judged);
  }
  return judgments;
}

/** Takes the form of ranx, which JSON.parse has read whole. */
export function readJudgments(qrels: QrelsInput): ReadonlyMap<string, readonly QrelsJudgment[]> {
  return new Map(
    Object.entries(qrels).map(([questionId, grades]) => [
      questionId,
      Object.entries(grades).map(([documentId, grade]) => ({ documentId, grade })),
    ]),
  );
}

function parseBeirLine(
  line: string,
  { stripBom: isFirst = false }: { readonly stripBom?: boolean },
): QrelsEntry | undefined {
  if (!isFirst) return parseBeirQrelsLine(line);
  checkBeirQrelsHeader(line);
  return undefined;
}
