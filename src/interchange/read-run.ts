import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { readScore } from '../ir/interchange/read-number.ts';
import { quote } from '../ir/trec/trec-line-error.ts';
import { splitColumns } from '../ir/trec/columns.ts';
import { parseRunColumns } from '../ir/trec/run-line.ts';
import { detectFormat } from './detect-format.ts';
import { refuseUnknownForm } from './formats.ts';
import { isRecord } from './json-node.ts';
import {
  endJsonWithIssue,
  endBatchesWithIssue,
  gatherReadings,
  readEachLine,
  readPlace,
  type HitEntry,
  type Reading,
  type Readings,
} from './reading.ts';
import {
  hasColumns,
  readId,
  readJsonRecords,
  readListRecords,
  readTableRecords,
  type Fields,
  type FileRecord,
  type ReadOptions,
} from './records.ts';
import { joinText, peekText } from './split-lines.ts';
import { parseStrictJson } from './strict-json.ts';
import { readByQuestion } from './rankings-by-question.ts';
import type { DatasetQuestion } from './dataset-question.ts';
import { readDataset } from './tool-datasets.ts';

const kind = 'run';

/** Reads the hits of a run of any form that `detectFormat` finds; those of one question may stand anywhere. */
export async function* readRun(
  texts: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<Readings<HitEntry>> {
  yield* endBatchesWithIssue(readDetected(texts, options));
}

/**
 * Reads a run that was parsed whole: lists of documents by question, below `rankings` or not, with scores or
 * without; scores by document by question, as ranx writes them; or a dataset of a tool.
 */
export function readRunJson(value: unknown, options: ReadOptions): Generator<Reading<HitEntry>> {
  return endJsonWithIssue(readValue(value, options));
}

function* readValue(value: unknown, options: ReadOptions): Generator<Reading<HitEntry>> {
  const dataset = readDataset(value, options);
  if (dataset) for (const question of dataset) yield* readQuestion(question, options);
  else if (Array.isArray(value) || hasColumns(value, kind)) {
    for (const record of readListRecords([value].flat(), { ...options, kind })) {
      yield* readRecord(record, options);
    }
  } else if (isRecord(value)) {
    const isOwn = isRecord(value['rankings']) && Object.keys(value).length === 1;
    const scores = isOwn ? Object.values(value['rankings'] as object) : [];
    const isNamedSo = scores.length > 0 && scores.every((one) => typeof one === 'number');
    if (isOwn && !isNamedSo) yield* readByQuestion(value['rankings'], '/rankings', options);
    else yield* readByQuestion(value, '', options);
  } else {
    yield {
      issue: { pointer: '', detail: value === undefined ? 'is missing' : 'is not an object' },
    };
  }
}

async function* readDetected(
  source: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<Readings<HitEntry>> {
  const { head, texts } = await peekText(source);
  switch (detectFormat(head, kind, options)) {
    case 'json':
      yield* gatherReadings(readRunJson(parseStrictJson(await joinText(texts)), options));
      return;
    case 'columns':
      yield* readEachLine(texts, (line) => parseRankLine(line));
      return;
    case 'table':
      yield* gatherReadings(
        readRecords(readTableRecords(texts, head, { ...options, kind }), options),
      );
      return;
    case 'ndjson':
      yield* gatherReadings(readRecords(readJsonRecords(texts, { ...options, kind }), options));
      return;
    case 'trec':
    case 'ltr':
    case 'lines':
      yield* readEachLine(texts, parseTrecLine);
  }
}

async function* readRecords(
  records: AsyncIterable<FileRecord>,
  options: ReadOptions,
): AsyncGenerator<Reading<HitEntry>> {
  for await (const record of records) yield* readRecord(record, options);
}

/** The rank column decides nothing, and may contradict the scores. */
function parseTrecLine(line: string, isFirst: boolean): HitEntry | undefined {
  const columns = splitColumns(line, { stripBom: isFirst });
  const entry = parseRunColumns(columns);
  if (!entry) return undefined;
  const { questionId, documentId, score } = entry;
  const rank = columns[3] ?? '';
  if (!/^\d{1,9}$/.test(rank)) return { questionId, documentId, score };
  return { questionId, documentId, score, rank: Number(rank) };
}

/** MS MARCO: question, document and rank, without a header. */
function parseRankLine(line: string): HitEntry | undefined {
  const columns = line.trim().split(/\s+/);
  const [questionId = '', documentId = '', rank = ''] = columns;
  if (questionId === '') return undefined;
  if (columns.length !== 3) {
    throw new InterchangeError(`${columns.length} columns instead of 3 (question document rank)`);
  }
  return { questionId, documentId, ...toRanked(readRank(rank)) };
}

function* readRecord(record: FileRecord, options: ReadOptions): Generator<Reading<HitEntry>> {
  const { place } = record;
  if ('issue' in record) yield record;
  else if ('question' in record) {
    for (const reading of readQuestion(record.question, options)) {
      if ('issue' in reading) yield { issue: { ...reading.issue, ...place } };
      else yield { value: reading.value, ...place };
    }
  } else if ('fields' in record) {
    const reading = readPlace(place, () => toHit(record.fields, options));
    if (reading) yield reading;
  } else {
    const found = `the keys ${Object.keys(record.object).slice(0, 5).join(', ')} are not those of a hit`;
    const reading = readPlace(place, () => refuseUnknownForm(kind, { found, nearest: 'ndjson' }));
    if (reading) yield reading;
  }
}

/** A rank becomes the score 1 / rank, which gives the same order; two documents with one rank are tied. */
function toHit(
  { question, questionId, document, score, rank }: Fields,
  options: ReadOptions,
): HitEntry {
  return {
    questionId: readId(questionId ?? question ?? '', 'question id', options),
    documentId: readId(document ?? '', 'document id', options),
    ...(score === undefined
      ? toRanked(readRank(rank?.trim() ?? ''))
      : { score: readScore(score.trim()) }),
  };
}

function toRanked(rank: number): Pick<HitEntry, 'score' | 'rank'> {
  return { score: 1 / rank, rank };
}

function readRank(text: string): number {
  const rank = /^[1-9][0-9]*$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(rank)) {
    throw new InterchangeError(`the rank ${quote(text)} is not a whole number of 1 or more`);
  }
  return rank;
}

function* readQuestion(
  { id, hits, pointer }: DatasetQuestion,
  options: ReadOptions,
): Generator<Reading<HitEntry>> {
  if (hits === undefined) {
    yield { issue: { pointer, detail: 'has judgments, but not what a search returned' } };
    return;
  }
  if (hits.length === 0) yield { value: { questionId: id, score: null } };
  const isScored = hits.every(({ score }) => score !== undefined);
  for (const { documentId, score, pointer: place } of hits) {
    const reading = readPlace({ pointer: place }, () => ({
      questionId: readId(id, 'question id', options),
      documentId: readId(documentId, 'document id', options),
      score: isScored && score !== undefined ? score : null,
    }));
    if (reading) yield reading;
  }
}
