import { parseBeirQuestion } from '../ir/interchange/beir-jsonl.ts';
import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { detectFormat } from './detect-format.ts';
import { isRecord } from './json-node.ts';
import { collectQuestions } from './question-rows.ts';
import { toQuestionId } from './question-id.ts';
import {
  endJsonWithIssue,
  endWithIssue,
  readPlace,
  toPointer,
  type QuestionEntry,
  type Reading,
} from './reading.ts';
import {
  readGrade,
  readId,
  readJsonRecords,
  readTableRecords,
  type FileRecord,
  type ReadOptions,
} from './records.ts';
import { joinText, peekText, splitLines } from './split-lines.ts';
import { parseStrictJson } from './strict-json.ts';
import type { DatasetQuestion } from './dataset-question.ts';
import { readDataset } from './tool-datasets.ts';

const kind = 'questions';

/**
 * Reads questions of any form that `detectFormat` finds, with judgments where the file has some. The fields
 * of the service's own form are passed on unchecked.
 */
export async function* readQuestions(
  texts: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<Reading<QuestionEntry>> {
  yield* endWithIssue(readDetected(texts, options));
}

/** Reads questions that were parsed whole: a list, one below `questions`, or a dataset of a tool. */
export function readQuestionsJson(
  value: unknown,
  options: ReadOptions,
): Generator<Reading<QuestionEntry>> {
  return endJsonWithIssue(readValue(value, options));
}

function* readValue(value: unknown, options: ReadOptions): Generator<Reading<QuestionEntry>> {
  const dataset = readDataset(value, options);
  if (dataset) {
    for (const question of dataset) {
      const { pointer } = question;
      const reading = readPlace({ pointer }, () => toEntry(question, options));
      if (reading) yield reading;
    }
    return;
  }
  const isWhole = isRecord(value) && Array.isArray(value['questions']);
  const isOne = isRecord(value) && ('text' in value || '_id' in value);
  const list = isWhole ? (value['questions'] as unknown[]) : isOne ? [value] : value;
  if (!Array.isArray(list)) {
    const detail = 'must be a list of questions, for example [{"id":"q06","text":"…"}]';
    yield { issue: { pointer: '', detail } };
    return;
  }
  for (const [index, one] of list.entries()) {
    const pointer = (isWhole ? '/questions' : '') + toPointer(index);
    if (!isRecord(one)) yield { issue: { pointer, detail: 'is not an object' } };
    else yield* readRecord({ place: { pointer }, object: one }, options);
  }
}

async function* readDetected(
  source: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<Reading<QuestionEntry>> {
  const { head, texts } = await peekText(source);
  const isBeir = options.format === 'beir';
  switch (detectFormat(head, kind, options)) {
    case 'json':
      yield* readQuestionsJson(parseStrictJson(await joinText(texts)), options);
      return;
    case 'ndjson':
      if (isBeir) {
        yield* readEach(texts, (line) => readBeirLine(line, options));
        return;
      }
      for await (const record of readJsonRecords(texts, { ...options, kind })) {
        yield* readRecord(record, options);
      }
      return;
    case 'table':
      yield* collectQuestions(readTableRecords(texts, head, { ...options, kind }), options);
      return;
    case 'columns':
      yield* collectQuestions(toRows(texts, readPair), options);
      return;
    case 'lines':
    case 'trec':
    case 'ltr':
      yield* collectQuestions(
        toRows(texts, (line) => ({ question: line })),
        options,
      );
  }
}

async function* readEach(
  texts: AsyncIterable<string>,
  parse: (line: string) => QuestionEntry | undefined,
): AsyncGenerator<Reading<QuestionEntry>> {
  for await (const { text, number } of splitLines(texts)) {
    const reading = readPlace({ line: number }, () => parse(text));
    if (reading) yield reading;
  }
}

async function* toRows(
  texts: AsyncIterable<string>,
  parse: (line: string) => { readonly questionId?: string; readonly question?: string },
): AsyncGenerator<FileRecord> {
  for await (const { text, number } of splitLines(texts)) {
    if (text.trim() !== '') yield { place: { line: number }, fields: parse(text.trimEnd()) };
  }
}

/** MS MARCO `queries.tsv`: id and text, without a header. */
function readPair(line: string): { readonly questionId?: string; readonly question?: string } {
  const [questionId = '', ...rest] = line.split('\t');
  return { questionId, question: rest.join(' ') };
}

function* readRecord(record: FileRecord, options: ReadOptions): Generator<Reading<QuestionEntry>> {
  if ('issue' in record) yield record;
  else if ('object' in record) {
    const { object, place } = record;
    const reading = readPlace(place, () =>
      '_id' in object ? readBeirLine(JSON.stringify(object), options) : toOwnEntry(object),
    );
    if (reading) yield reading;
  } else if ('question' in record) {
    const { question, place } = record;
    const reading = readPlace(place, () => toEntry(question, options));
    if (reading) yield reading;
  }
}

function readBeirLine(line: string, { notes }: ReadOptions): QuestionEntry | undefined {
  const question = parseBeirQuestion(line);
  if (!question) return undefined;
  if (Object.keys(question.metadata ?? {}).length > 0) notes.countDroppedMetadata();
  return { fields: { id: question.questionId, text: question.text }, isUnlabelled: true };
}

/** A question in the form of the service; one without an id is named by its text. */
function toOwnEntry(object: Readonly<Record<string, unknown>>): QuestionEntry {
  const { id, text } = object;
  const fields =
    id === undefined && typeof text === 'string'
      ? { id: toQuestionId(text.trim()), ...object }
      : object;
  return { fields, isUnlabelled: false };
}

function toEntry({ id, text, judgments }: DatasetQuestion, options: ReadOptions): QuestionEntry {
  const relevant = new Map<string, number>();
  const questionId = readId(id, 'question id', options);
  if (text === undefined) options.notes.addTextless(questionId);
  for (const judged of judgments) {
    if (judged.grade === undefined) options.notes.addPlain(questionId);
    const documentId = readId(judged.documentId, 'document id', options);
    const grade = judged.grade === undefined ? 1 : readGrade(judged.grade, options);
    const other = relevant.get(documentId);
    if (other === grade) options.notes.addRepeated(`${questionId} ${documentId}`);
    else if (other !== undefined) {
      throw new InterchangeError(
        `document '${documentId}' has two grades for question '${questionId}': ${other} and ${grade}`,
      );
    }
    relevant.set(documentId, grade);
  }
  return {
    fields: { id: questionId, text: text ?? questionId, relevant: Object.fromEntries(relevant) },
    isUnlabelled: judgments.length === 0,
  };
}
