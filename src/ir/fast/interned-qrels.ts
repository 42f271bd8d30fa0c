import { parseQrelsLine } from '../trec/qrels-line.ts';
import { quote, TrecLineError } from '../trec/trec-line-error.ts';
import {
  appendId,
  compareIds,
  createIdArena,
  decodeId,
  isSameId,
  type IdArena,
  type IdSlice,
} from './id-arena.ts';
import { createIdTable, internId, type IdTable } from './id-table.ts';
import { createLineReader } from './line-reader.ts';
import type { ByteSink } from './line-blocks.ts';
import { roomFor, type ReaderOptions } from './reader-options.ts';
import { hashSlice, readDecimal, sliceColumn, type ScannedLine } from './scan-line.ts';
import { createIdSlice, toIdSlice } from './text-slice.ts';

/** The judgments of a question set, with a number for each question and each judgment. */
export interface InternedQrels {
  readonly questions: IdTable;
  /** The document of each judgment. */
  readonly documents: IdArena;
  /** By judgment; behind the last one there may be room. */
  readonly grades: Float64Array;
  /** Grades by question, falling: those of question q lie from `offsets[q]` to `offsets[q + 1]`. */
  readonly judged: Float64Array;
  readonly offsets: Uint32Array;
  /** A hash table a question, from `2 · offsets[q]`, of judgment + 1; 0 where free. */
  readonly slots: Int32Array;
}

export interface QrelsReader extends ByteSink {
  /** Throws a TrecLineError where a document is judged twice for a question. */
  finish(): InternedQrels;
}

/** Judgments in the order of the file. */
interface Judgments {
  readonly questions: IdTable;
  readonly documents: IdArena;
  /** The question of each judgment. */
  owners: Int32Array;
  grades: Float64Array;
  lastOwner: number;
}

/** From here on the built-in sort is faster. */
const manyJudgments = 64;

/** Reads TREC qrels from bytes, as `parseQrelsLine` has them. */
export function createQrelsReader({ expectedBytes = 0 }: ReaderOptions = {}): QrelsReader {
  const room = roomFor(expectedBytes);
  const judgments: Judgments = {
    questions: createIdTable(),
    documents: createIdArena(room),
    owners: new Int32Array(room),
    grades: new Float64Array(room),
    lastOwner: -1,
  };
  const [question, document] = [createIdSlice(), createIdSlice()];
  const takePlain = (line: ScannedLine) => {
    const grade = readDecimal(line, 3);
    if (!Number.isInteger(grade) || isFraction(line)) return false;
    sliceColumn(line, 0, question);
    sliceColumn(line, 2, document);
    hashSlice(document);
    addJudgment(judgments, { question, document }, grade);
    return true;
  };
  const takeText = (text: string, isFirst: boolean) => {
    const entry = parseQrelsLine(text, { stripBom: isFirst });
    if (entry === undefined) return;
    const ids = { question: toIdSlice(entry.questionId), document: toIdSlice(entry.documentId) };
    addJudgment(judgments, ids, entry.grade);
  };
  const reader = createLineReader({ columns: 4, takePlain, takeText });
  return {
    ...reader,
    finish() {
      reader.end();
      return index(judgments);
    },
  };
}

/** The number of the judgment on a document, -1 when the question has none. */
export function findJudgment(qrels: InternedQrels, question: number, document: IdSlice): number {
  const { slots, documents } = qrels;
  const base = 2 * (qrels.offsets[question] as number);
  const size = 2 * (qrels.offsets[question + 1] as number) - base;
  let slot = slotOf(document.hash, size);
  for (;;) {
    const judgment = (slots[base + slot] as number) - 1;
    if (judgment === -1) return -1;
    if (documents.hashes[judgment] === document.hash && isSameId(documents, judgment, document)) {
      return judgment;
    }
    slot = slot + 1 === size ? 0 : slot + 1;
  }
}

/** 1.0 is a whole number, but no grade. */
function isFraction({ bytes, starts, ends }: ScannedLine): boolean {
  for (let at = starts[3] as number; at < (ends[3] as number); at += 1) {
    if (bytes[at] === 0x2e) return true;
  }
  return false;
}

function addJudgment(
  judgments: Judgments,
  { question, document }: { readonly question: IdSlice; readonly document: IdSlice },
  grade: number,
): void {
  const number = judgments.documents.count;
  if (number === judgments.owners.length) grow(judgments);
  judgments.owners[number] = findOwner(judgments, question);
  judgments.grades[number] = grade;
  appendId(judgments.documents, document);
}

/** The number of the question, most often that of the line before. */
function findOwner(judgments: Judgments, question: IdSlice): number {
  const { questions, lastOwner } = judgments;
  if (lastOwner !== -1 && isSameId(questions.ids, lastOwner, question)) return lastOwner;
  hashSlice(question);
  judgments.lastOwner = internId(questions, question);
  return judgments.lastOwner;
}

function grow(judgments: Judgments): void {
  const owners = new Int32Array(2 * judgments.owners.length);
  owners.set(judgments.owners);
  judgments.owners = owners;
  const grades = new Float64Array(owners.length);
  grades.set(judgments.grades);
  judgments.grades = grades;
}

function index({ questions, documents, owners, grades }: Judgments): InternedQrels {
  const [judgments, count] = [documents.count, questions.ids.count];
  const offsets = toOffsets(owners.subarray(0, judgments), count);
  const qrels = {
    questions,
    documents,
    grades,
    judged: new Float64Array(judgments),
    offsets,
    slots: new Int32Array(2 * judgments),
  };
  const next = offsets.slice();
  for (let judgment = 0; judgment < judgments; judgment += 1) {
    const owner = owners[judgment] as number;
    placeJudgment(qrels, owner, judgment);
    const to = next[owner] as number;
    qrels.judged[to] = grades[judgment] as number;
    next[owner] = to + 1;
  }
  for (let question = 0; question < count; question += 1) {
    sortFalling(qrels.judged.subarray(offsets[question], offsets[question + 1]));
  }
  return qrels;
}

/** Where the entries of each owner start when they are put in order of owner. */
function toOffsets(owners: Int32Array, count: number): Uint32Array {
  const offsets = new Uint32Array(count + 1);
  for (const owner of owners) offsets[owner + 1] = (offsets[owner + 1] as number) + 1;
  for (let owner = 0; owner < count; owner += 1) {
    offsets[owner + 1] = (offsets[owner + 1] as number) + (offsets[owner] as number);
  }
  return offsets;
}

function placeJudgment(qrels: InternedQrels, question: number, judgment: number): void {
  const { slots, documents } = qrels;
  const base = 2 * (qrels.offsets[question] as number);
  const size = 2 * (qrels.offsets[question + 1] as number) - base;
  const hash = documents.hashes[judgment] as number;
  let slot = slotOf(hash, size);
  while (slots[base + slot] !== 0) {
    const other = (slots[base + slot] as number) - 1;
    if (documents.hashes[other] === hash && compareIds(documents, other, judgment) === 0) {
      throw standsTwice(qrels, question, judgment);
    }
    slot = slot + 1 === size ? 0 : slot + 1;
  }
  slots[base + slot] = judgment + 1;
}

function standsTwice(
  { questions, documents }: InternedQrels,
  question: number,
  judgment: number,
): TrecLineError {
  const [questionId, documentId] = [
    decodeId(questions.ids, question),
    decodeId(documents, judgment),
  ];
  return new TrecLineError(
    `duplicate document ${quote(documentId)} in question ${quote(questionId)}`,
  );
}

/** A slot of any number of slots, by the high bits of hash · size (Lemire 2019). */
function slotOf(hash: number, size: number): number {
  return Math.floor((hash >>> 0) * 2 ** -32 * size);
}

/** By insertion, since most questions have few judgments. */
function sortFalling(values: Float64Array): void {
  if (values.length > manyJudgments) {
    values.set(values.toSorted().toReversed());
    return;
  }
  for (let end = 1; end < values.length; end += 1) {
    const value = values[end] as number;
    let at = end;
    while (at > 0 && (values[at - 1] as number) < value) {
      values[at] = values[at - 1] as number;
      at -= 1;
    }
    values[at] = value;
  }
}
