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
import { readDecimal, sliceColumn, type ScannedLine } from './scan-line.ts';
import { createIdSlice, toIdSlice } from './text-slice.ts';

/** The judgments of a question set, with a number for each question and each judgment. */
export interface InternedQrels {
  readonly questions: IdTable;
  /** The document of each judgment. */
  readonly documents: IdArena;
  /** By judgment. */
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

interface Judgments {
  readonly questions: IdTable;
  readonly documents: IdArena;
  /** The question of each judgment. */
  readonly owners: number[];
  readonly grades: number[];
}

/** From here on the built-in sort is faster. */
const manyJudgments = 64;

/** Reads TREC qrels from bytes, as `parseQrelsLine` has them. */
export function createQrelsReader({ expectedBytes = 0 }: ReaderOptions = {}): QrelsReader {
  const judgments: Judgments = {
    questions: createIdTable(),
    documents: createIdArena(roomFor(expectedBytes)),
    owners: [],
    grades: [],
  };
  const [question, document] = [createIdSlice(), createIdSlice()];
  const takePlain = (line: ScannedLine) => {
    const grade = readDecimal(line, 3);
    if (!Number.isInteger(grade) || isFraction(line)) return false;
    sliceColumn(line, 0, question);
    sliceColumn(line, 2, document);
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
  { questions, documents, owners, grades }: Judgments,
  ids: { readonly question: IdSlice; readonly document: IdSlice },
  grade: number,
): void {
  owners.push(internId(questions, ids.question));
  appendId(documents, ids.document);
  grades.push(grade);
}

function index(read: Judgments): InternedQrels {
  const { questions, documents, owners } = read;
  const offsets = new Uint32Array(questions.ids.count + 1);
  for (const owner of owners) offsets[owner + 1] = (offsets[owner + 1] as number) + 1;
  for (let question = 0; question < questions.ids.count; question += 1) {
    offsets[question + 1] = (offsets[question + 1] as number) + (offsets[question] as number);
  }
  const qrels = {
    questions,
    documents,
    grades: Float64Array.from(read.grades),
    judged: new Float64Array(owners.length),
    offsets,
    slots: new Int32Array(2 * owners.length),
  };
  const filled = new Uint32Array(questions.ids.count);
  for (const [judgment, owner] of owners.entries()) {
    placeJudgment(qrels, owner, judgment);
    qrels.judged[(offsets[owner] as number) + (filled[owner] as number)] = read.grades[
      judgment
    ] as number;
    filled[owner] = (filled[owner] as number) + 1;
  }
  for (let question = 0; question < questions.ids.count; question += 1) {
    sortFalling(qrels.judged.subarray(offsets[question], offsets[question + 1]));
  }
  return qrels;
}

function placeJudgment(qrels: InternedQrels, question: number, judgment: number): void {
  const { slots, documents } = qrels;
  const base = 2 * (qrels.offsets[question] as number);
  const size = 2 * (qrels.offsets[question + 1] as number) - base;
  const hash = documents.hashes[judgment] as number;
  let slot = slotOf(hash, size);
  while (slots[base + slot] !== 0) {
    refuseTwice(qrels, question, [(slots[base + slot] as number) - 1, judgment]);
    slot = slot + 1 === size ? 0 : slot + 1;
  }
  slots[base + slot] = judgment + 1;
}

function refuseTwice(
  { questions, documents }: InternedQrels,
  question: number,
  [a, b]: readonly [number, number],
): void {
  if (documents.hashes[a] !== documents.hashes[b] || compareIds(documents, a, b) !== 0) return;
  const [questionId, documentId] = [decodeId(questions.ids, question), decodeId(documents, a)];
  throw new TrecLineError(
    `question ${quote(questionId)} has the document ${quote(documentId)} twice`,
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
