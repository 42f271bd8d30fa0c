import type { Readable } from 'node:stream';

import { z } from 'zod';

import type { PairEntry } from '../../evaluation/catalog/stage-pairs.ts';
import { checkBeirQrelsHeader, parseBeirQrelsLine } from '../../ir/interchange/beir-qrels.ts';
import { createCsvQrelsParser } from '../../ir/interchange/csv-qrels.ts';
import { parseQrelsLine, type QrelsEntry } from '../../ir/trec/qrels-line.ts';
import type { QrelsInput } from '../../schemas/qrels.ts';
import { Grade, Id } from '../../schemas/vocabulary.ts';
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

/** Reads qrels of any text form as they arrive; entries of one question may stand anywhere. */
export async function* readQrels(
  body: Readable,
  type: string,
  maxBytes: number,
): AsyncGenerator<PairEntry> {
  const read = type in readers ? readers[type as QrelsType] : readers['text/plain'];
  for await (const { value, line } of read(body, maxBytes)) {
    const { questionId, documentId, grade } = value;
    yield { questionId, documentId, value: grade, line };
  }
}

/** Takes the form of ranx, which JSON.parse has read whole. */
export async function* readRanxQrels(qrels: QrelsInput): AsyncGenerator<PairEntry> {
  for (const [questionId, grades] of Object.entries(qrels)) {
    const judged = Object.entries(grades);
    if (judged.length === 0) yield { questionId, value: null };
    for (const [documentId, grade] of judged) yield { questionId, documentId, value: grade };
  }
}

function parseBeirLine(
  line: string,
  { stripBom: isFirst = false }: { readonly stripBom?: boolean },
): QrelsEntry | undefined {
  if (!isFirst) return parseBeirQrelsLine(line);
  checkBeirQrelsHeader(line);
  return undefined;
}
