import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { parseQrelsLine } from '../ir/trec/qrels-line.ts';
import { detectFormat } from './detect-format.ts';
import { refuseUnknownForm } from './formats.ts';
import { isRecord } from './json-node.ts';
import { parseLtrLine } from './ltr-line.ts';
import { createRankGuard } from './rank-guard.ts';
import {
  endJsonWithIssue,
  endBatchesWithIssue,
  gatherReadings,
  readEachLine,
  readPlace,
  toPointer,
  type JudgmentEntry,
  type Reading,
  type Readings,
} from './reading.ts';
import {
  hasColumns,
  readGrade,
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
import type { DatasetQuestion } from './dataset-question.ts';
import { readDataset } from './tool-datasets.ts';

const kind = 'judgments';

/**
 * Reads judgments of any form that `detectFormat` finds. Entries of one question may stand anywhere, and a
 * pair may come twice: whoever stores them holds the two against each other.
 */
export async function* readJudgments(
  texts: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<Readings<JudgmentEntry>> {
  yield* endBatchesWithIssue(readDetected(texts, options));
}

/** Reads judgments that were parsed whole: grades by document by question, or a dataset of a tool. */
export function readJudgmentsJson(
  value: unknown,
  options: ReadOptions,
): Generator<Reading<JudgmentEntry>> {
  return endJsonWithIssue(readValue(value, options));
}

function* readValue(value: unknown, options: ReadOptions): Generator<Reading<JudgmentEntry>> {
  const dataset = readDataset(value, options);
  if (dataset) for (const question of dataset) yield* readQuestion(question, options);
  else if (Array.isArray(value) || hasColumns(value, kind)) {
    for (const record of readListRecords([value].flat(), { ...options, kind })) {
      yield* readRecord(record, options);
    }
  } else yield* readRanx(value, options);
}

async function* readDetected(
  source: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<Readings<JudgmentEntry>> {
  const { head, texts } = await peekText(source);
  switch (detectFormat(head, kind, options)) {
    case 'json':
      yield* gatherReadings(readJudgmentsJson(parseStrictJson(await joinText(texts)), options));
      return;
    case 'ltr':
      yield* readEachLine(texts, (line) => parseLtrLine(line, (text) => readGrade(text, options)));
      return;
    case 'columns':
      yield* readColumns(texts, options);
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
    case 'lines':
      yield* readEachLine(texts, (line, isFirst) =>
        parseQrelsLine(line, {
          stripBom: isFirst,
          readGrade: (text) => readGrade(text, options),
        }),
      );
  }
}

async function* readRecords(
  records: AsyncIterable<FileRecord>,
  options: ReadOptions,
): AsyncGenerator<Reading<JudgmentEntry>> {
  for await (const record of records) yield* readRecord(record, options);
}

/** MS MARCO: question and document, or question, document and grade, without a header. */
async function* readColumns(
  texts: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<Readings<JudgmentEntry>> {
  const guard = createRankGuard();
  yield* readEachLine(texts, (line) => {
    const columns = line.trim().split(/\s+/);
    const [questionId = '', documentId = '', grade] = columns;
    if (questionId === '') return undefined;
    if (columns.length < 2 || columns.length > 3) {
      const reason = `${columns.length} columns instead of 2 or 3 (question document grade)`;
      throw new InterchangeError(reason);
    }
    if (grade === undefined) {
      options.notes.addPlain(questionId);
      return { questionId, documentId, grade: 1 };
    }
    guard.add(questionId, grade);
    return { questionId, documentId, grade: readGrade(grade, options) };
  });
  if (options.format === 'msmarco' || !guard.looksLikeRanks()) return;
  const detail =
    'the third column counts 1, 2, 3 … in every question, so this looks like a run and not like grades; send it to /v1/runs/{name}, or add ?format=msmarco if these are grades';
  yield [{ issue: { line: 1, detail } }];
}

function* readRecord(record: FileRecord, options: ReadOptions): Generator<Reading<JudgmentEntry>> {
  const { place } = record;
  if ('issue' in record) yield record;
  else if ('question' in record) {
    for (const reading of readQuestion(record.question, options)) {
      if ('issue' in reading) yield { issue: { ...reading.issue, ...place } };
      else yield { value: reading.value, ...place };
    }
  } else if ('fields' in record) {
    const reading = readPlace(place, () => toJudgment(record.fields, options));
    if (reading) yield reading;
  } else {
    const found = `the keys ${Object.keys(record.object).slice(0, 5).join(', ')} are not those of a judgment`;
    const reading = readPlace(place, () => refuseUnknownForm(kind, { found, nearest: 'mteb' }));
    if (reading) yield reading;
  }
}

/** Without a grade column every document counts with 1; a row without a grade makes no judgment. */
function toJudgment(fields: Fields, options: ReadOptions): JudgmentEntry {
  const { notes } = options;
  const questionId = readId(fields.questionId ?? fields.question ?? '', 'question id', options);
  const isNamed = notes.trim(fields.document ?? '') !== '';
  const grade = fields.grade?.trim() ?? (isNamed ? undefined : '');
  if (grade === '') {
    notes.addUngraded(questionId);
    return { questionId, grade: null };
  }
  const documentId = readId(fields.document ?? '', 'document id', options);
  if (grade === undefined) notes.addPlain(questionId);
  return { questionId, documentId, grade: grade === undefined ? 1 : readGrade(grade, options) };
}

function* readQuestion(
  { id, judgments, hits, pointer }: DatasetQuestion,
  options: ReadOptions,
): Generator<Reading<JudgmentEntry>> {
  if (judgments.length === 0 && hits !== undefined) {
    yield { issue: { pointer, detail: 'has what a search returned, but no judgments' } };
  } else if (judgments.length === 0) {
    options.notes.addUngraded(id);
    yield { value: { questionId: id, grade: null } };
  }
  for (const { documentId, grade, pointer: place } of judgments) {
    const reading = readPlace({ pointer: place }, () => {
      if (grade === undefined) options.notes.addPlain(id);
      return {
        questionId: readId(id, 'question id', options),
        documentId: readId(documentId, 'document id', options),
        grade: grade === undefined ? 1 : readGrade(grade, options),
      };
    });
    if (reading) yield reading;
  }
}

function* readRanx(value: unknown, options: ReadOptions): Generator<Reading<JudgmentEntry>> {
  if (!isRecord(value)) {
    const detail = value === undefined ? 'is missing' : 'is neither an object nor a list';
    yield { issue: { pointer: '', detail } };
    return;
  }
  for (const [questionId, grades] of Object.entries(value)) {
    const pointer = toPointer(questionId);
    if (!isRecord(grades)) {
      const detail = 'must be an object with a grade for each document id, for example {"D07":2}';
      yield { issue: { pointer, detail } };
      continue;
    }
    const judged = Object.entries(grades);
    if (judged.length === 0) yield { value: { questionId, grade: null } };
    for (const [documentId, grade] of judged) {
      const place = { pointer: pointer + toPointer(documentId) };
      const reading = readPlace(place, () => ({
        questionId: readId(questionId, 'question id', options),
        documentId: readId(documentId, 'document id', options),
        grade: readGrade(toText(grade), options),
      }));
      if (reading) yield reading;
    }
  }
}

function toText(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  throw new InterchangeError('must be a whole number, 0 or less for not relevant');
}
