import { parseRunLine } from '../trec/run-line.ts';
import { appendId, createIdArena, isSameId, type IdArena, type IdSlice } from './id-arena.ts';
import { createIdTable, findId, internId } from './id-table.ts';
import { findJudgment, type InternedQrels } from './interned-qrels.ts';
import type { ByteSink } from './line-blocks.ts';
import { createLineReader } from './line-reader.ts';
import { roomFor, type ReaderOptions } from './reader-options.ts';
import { hashSlice, readDecimal, sliceColumn, type ScannedLine } from './scan-line.ts';
import { createIdSlice, toIdSlice } from './text-slice.ts';

/** Neighbouring lines of one question. A file in the usual order has one for each question. */
export interface Segment {
  readonly question: number;
  readonly start: number;
  end: number;
}

/** The hits of the judged questions in the order of the file; what a hit has is at its number in each column. */
export interface InternedRun {
  readonly segments: readonly Segment[];
  readonly scores: Float64Array;
  /** The number of the hit's judgment, -1 when it is unjudged. */
  readonly judgments: Int32Array;
  readonly documents: IdArena;
  /** Questions of the run that the qrels lack. They are not scored, and their hits are not kept. */
  readonly ignoredQuestions: number;
}

export interface RunReader extends ByteSink {
  finish(): InternedRun;
}

/** The columns while they grow. */
interface Columns {
  readonly segments: Segment[];
  scores: Float64Array;
  judgments: Int32Array;
  readonly documents: IdArena;
}

/** Reads a TREC run from bytes, as `parseRunLine` has it. Questions may be interleaved. */
export function createRunReader(
  qrels: InternedQrels,
  { expectedBytes = 0 }: ReaderOptions = {},
): RunReader {
  const room = roomFor(expectedBytes);
  const columns: Columns = {
    segments: [],
    scores: new Float64Array(room),
    judgments: new Int32Array(room),
    documents: createIdArena(room),
  };
  const find = createQuestionFinder(qrels);
  const [question, document] = [createIdSlice(), createIdSlice()];
  const takePlain = (line: ScannedLine) => {
    const score = readDecimal(line, 4);
    if (Number.isNaN(score)) return false;
    sliceColumn(line, 0, question);
    const number = find.questionOf(question);
    if (number === -1) return true;
    sliceColumn(line, 2, document);
    hashSlice(document);
    addHit(columns, number, score);
    addDocument(columns, document, findJudgment(qrels, number, document));
    return true;
  };
  const takeText = (text: string, isFirst: boolean) => {
    const entry = parseRunLine(text, { stripBom: isFirst });
    if (entry === undefined) return;
    const number = find.questionOf(toIdSlice(entry.questionId));
    if (number === -1) return;
    const documentId = toIdSlice(entry.documentId);
    addHit(columns, number, entry.score);
    addDocument(columns, documentId, findJudgment(qrels, number, documentId));
  };
  const reader = createLineReader({ columns: 6, takePlain, takeText });
  return {
    ...reader,
    finish() {
      reader.end();
      return { ...columns, ignoredQuestions: find.countIgnored() };
    },
  };
}

/** Finds a question's number, most often that of the line before. */
function createQuestionFinder({ questions }: InternedQrels): {
  questionOf(id: IdSlice): number;
  countIgnored(): number;
} {
  const ignored = createIdTable();
  let last = -1;
  return {
    questionOf(id) {
      if (last !== -1 && isSameId(questions.ids, last, id)) return last;
      hashSlice(id);
      last = findId(questions, id);
      if (last === -1) internId(ignored, id);
      return last;
    },
    countIgnored: () => ignored.ids.count,
  };
}

function addHit(columns: Columns, question: number, score: number): void {
  const { segments, documents } = columns;
  const hit = documents.count;
  if (hit === columns.scores.length) grow(columns);
  columns.scores[hit] = score;
  const last = segments.at(-1);
  if (last?.question === question) last.end = hit + 1;
  else segments.push({ question, start: hit, end: hit + 1 });
}

function addDocument({ documents, judgments }: Columns, id: IdSlice, judgment: number): void {
  judgments[appendId(documents, id)] = judgment;
}

function grow(columns: Columns): void {
  const scores = new Float64Array(2 * columns.scores.length);
  scores.set(columns.scores);
  columns.scores = scores;
  const judgments = new Int32Array(scores.length);
  judgments.set(columns.judgments);
  columns.judgments = judgments;
}
