import type { Readable } from 'node:stream';

import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

import { InvalidInputError, type InputError } from '../../errors.ts';
import type { PairEntry } from '../../evaluation/catalog/stage-pairs.ts';
import { checkEncoding } from '../../interchange/decode-text.ts';
import { parseGradeMapping } from '../../interchange/grade-mapping.ts';
import { createImportNotes, type ImportNotes } from '../../interchange/import-notes.ts';
import { readJudgments, readJudgmentsJson } from '../../interchange/read-judgments.ts';
import { readRun, readRunJson } from '../../interchange/read-run.ts';
import {
  gatherReadings,
  type Issue,
  type Place,
  type Readings,
} from '../../interchange/reading.ts';
import type { ReadOptions } from '../../interchange/records.ts';
import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import { Grade, Id, isPlainGrade, isPlainId } from '../../schemas/vocabulary.ts';
import { createIssueCollector } from './entry-lines.ts';
import { readTexts } from './line-body.ts';
import { bodyType } from './media-types.ts';
import { toInputErrors } from './validation-issues.ts';

/** A body that holds a file, and what the request says of it. */
export interface FileBody {
  /** A stream, or what was parsed of JSON. */
  readonly body: unknown;
  readonly options: ReadOptions;
  readonly encoding: string | undefined;
  readonly maxBytes: number;
  /** What the reader has to say once it is through. */
  readonly notes: ImportNotes;
}

interface FileQuery {
  readonly format?: string | undefined;
  readonly grades?: string | undefined;
  readonly encoding?: string | undefined;
  readonly question?: string | undefined;
}

/** Takes what the query and the headers say of the file. Throws `invalid-input` for what is not understood. */
export function toFileBody(
  request: FastifyRequest,
  { format, grades, encoding, question }: FileQuery,
  maxBytes: number,
): FileBody {
  const notes = createImportNotes();
  const mapping =
    grades === undefined ? undefined : check('grades', () => parseGradeMapping(grades));
  return {
    body: request.body,
    options: { format, mediaType: bodyType(request), grades: mapping, question, notes },
    encoding: check('encoding', () => findEncoding(request, encoding)),
    maxBytes,
    notes,
  };
}

const Judgment = z.object({
  questionId: Id,
  documentId: Id.optional(),
  grade: Grade.nullable(),
});

/** The judgments of a body, in whatever form it is, some at a time. */
export function readJudgmentBody(file: FileBody): AsyncGenerator<readonly PairEntry[]> {
  const { body, options } = file;
  const batches = isStream(body)
    ? readJudgments(readText(file), options)
    : gatherReadings(readJudgmentsJson(body, options));
  return passReadings(batches, {
    schema: Judgment,
    isValid: ({ questionId, documentId, grade }) =>
      arePairIds(questionId, documentId) && (grade === null || isPlainGrade(grade)),
    toPair: ({ questionId, documentId, grade }, line) => ({
      questionId,
      documentId,
      value: grade,
      line,
    }),
  });
}

const Hit = z.object({
  questionId: Id,
  documentId: Id.optional(),
  score: z.number().nullable(),
  rank: z.int().optional(),
});

/** The hits of a body, in whatever form it is, some at a time. */
export function readRunBody(file: FileBody): AsyncGenerator<readonly PairEntry[]> {
  const { body, options } = file;
  const batches = isStream(body)
    ? readRun(readText(file), options)
    : gatherReadings(readRunJson(body, options));
  return passReadings(batches, {
    schema: Hit,
    isValid: ({ questionId, documentId, score, rank }) =>
      arePairIds(questionId, documentId) &&
      (score === null || Number.isFinite(score)) &&
      (rank === undefined || Number.isSafeInteger(rank)),
    toPair: ({ questionId, documentId, score, rank }, line) => ({
      questionId,
      documentId,
      value: score,
      rank,
      line,
    }),
  });
}

function arePairIds(questionId: unknown, documentId: unknown): boolean {
  return isPlainId(questionId) && (documentId === undefined || isPlainId(documentId));
}

interface PairCheck<Value> {
  readonly schema: z.ZodType<Value>;
  /** Whether the schema takes a value for sure: of millions of entries it need not be asked. */
  readonly isValid: (value: Value) => boolean;
  readonly toPair: (value: Value, line: number | undefined) => PairEntry;
}

/** Checks what is read. Throws one error that lists all wrong places, or says that there is no entry. */
async function* passReadings<Value>(
  batches: AsyncIterable<Readings<Value>>,
  { schema, isValid, toPair }: PairCheck<Value>,
): AsyncGenerator<readonly PairEntry[]> {
  const issues = createIssueCollector();
  let entries = 0;
  for await (const batch of batches) {
    const pairs: PairEntry[] = [];
    for (const reading of batch) {
      if ('issue' in reading) {
        issues.add([toInputError(reading.issue)]);
        continue;
      }
      const errors = isValid(reading.value) ? [] : findIssues(reading, schema);
      if (errors.length > 0) issues.add(errors);
      else pairs.push(toPair(reading.value, reading.line));
    }
    entries += pairs.length;
    if (pairs.length > 0) yield pairs;
    if (issues.isFull()) break;
  }
  issues.end(entries);
}

/** What the schema says of a value, at the place of the whole entry. */
function findIssues<Value>(
  { value, line, pointer = '' }: { readonly value: Value } & Place,
  schema: z.ZodType<Value>,
): readonly InputError[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const place = { pointer: `/body${pointer}`, ...(line !== undefined && { line }) };
  return issues
    .flatMap((issue) => toInputErrors(issue, ''))
    .map((found) => ({ ...found, ...place }));
}

export function isStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** The text of a body that is a stream. */
export function readText({ body, maxBytes, encoding }: FileBody): AsyncGenerator<string> {
  return readTexts(body as Readable, maxBytes, encoding);
}

function toInputError({ line, pointer = '', detail }: Issue): InputError {
  return { pointer: `/body${pointer}`, ...(line !== undefined && { line }), detail };
}

/** The query decides, else the header does. */
function findEncoding(request: FastifyRequest, encoding: string | undefined): string | undefined {
  const header = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  const named = encoding ?? header;
  return named === undefined ? undefined : checkEncoding(named);
}

function check<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InterchangeError)) throw error;
    const found = { pointer: `/query/${name}`, detail: error.reason };
    throw new InvalidInputError(`?${name}= was not understood: ${error.reason}`, [found], error);
  }
}
