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
import type { Issue, Reading } from '../../interchange/reading.ts';
import type { ReadOptions } from '../../interchange/records.ts';
import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import { Grade, Id } from '../../schemas/vocabulary.ts';
import { passEntries, type Reading as EntryReading } from './entry-lines.ts';
import { readTexts, type Entry } from './line-body.ts';
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

type Readings = AsyncIterable<Reading<unknown>> | Iterable<Reading<unknown>>;

const Judgment = z.object({
  questionId: Id,
  documentId: Id.optional(),
  grade: Grade.nullable(),
});

/** The judgments of a body, in whatever form it is. */
export async function* readJudgmentBody(file: FileBody): AsyncGenerator<PairEntry> {
  const { body, options } = file;
  const readings: Readings = isStream(body)
    ? readJudgments(readText(file), options)
    : readJudgmentsJson(body, options);
  for await (const { value, line } of passReadings(readings, Judgment)) {
    const { questionId, documentId, grade } = value;
    yield { questionId, documentId, value: grade, line };
  }
}

const Hit = z.object({
  questionId: Id,
  documentId: Id.optional(),
  score: z.number().nullable(),
  rank: z.int().optional(),
});

/** The hits of a body, in whatever form it is. */
export async function* readRunBody(file: FileBody): AsyncGenerator<PairEntry> {
  const { body, options } = file;
  const readings: Readings = isStream(body)
    ? readRun(readText(file), options)
    : readRunJson(body, options);
  for await (const { value, line } of passReadings(readings, Hit)) {
    const { questionId, documentId, score, rank } = value;
    yield { questionId, documentId, value: score, rank, line };
  }
}

/** Checks what is read. Throws one error that names all places at fault, or that there is no entry. */
function passReadings<Value>(
  readings: Readings,
  schema: z.ZodType<Value>,
): AsyncGenerator<Entry<Value>> {
  async function* checked(): AsyncGenerator<EntryReading<Value>> {
    for await (const reading of readings) {
      if ('issue' in reading) {
        yield [toInputError(reading.issue)];
        continue;
      }
      const place = reading.line === undefined ? {} : { line: reading.line };
      const pointer = `/body${reading.pointer ?? ''}`;
      const parsed = schema.safeParse(reading.value);
      if (parsed.success) yield { value: parsed.data, ...place };
      else {
        const found = parsed.error.issues.flatMap((issue) => toInputErrors(issue, ''));
        yield found.map(({ pointer: _field, ...error }) => ({ ...error, ...place, pointer }));
      }
    }
  }
  return passEntries(checked());
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
