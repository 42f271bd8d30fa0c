import { checkColumns, isComment, splitColumns, type LineOptions } from './columns.ts';
import { quote, TrecLineError } from './trec-line-error.ts';
import { checkWritableId, checkWritableQuestionId } from './writable-id.ts';
import type { QuestionId, DocumentId } from '../ids.ts';

/** One line of a TREC qrels file: `qid iteration docid grade`. The iteration is neither read nor kept. */
export interface QrelsEntry {
  readonly questionId: QuestionId;
  readonly documentId: DocumentId;
  readonly grade: number;
}

/**
 * Reads one line, with or without its line end; undefined for a blank line or a comment (`#`). Throws a
 * TrecLineError for anything else that is not exactly an entry: where trec_eval guesses ("1.9" is 1, "x"
 * is 0), this refuses. A whole number may be written as a float ("1.0").
 */
export function parseQrelsLine(line: string, options: LineOptions = {}): QrelsEntry | undefined {
  const columns = splitColumns(line, options);
  if (columns.length === 0) return undefined;
  const [questionId = '', , documentId = '', gradeText = ''] = columns;
  const isEntry = () => columns.length === 4 && parseGrade(gradeText) !== undefined;
  if (isComment(columns, isEntry)) return undefined;
  checkColumns(columns, 'qid iteration docid grade');
  const grade = options.readGrade ? options.readGrade(gradeText) : parseGrade(gradeText);
  if (grade === undefined) {
    throw new TrecLineError(`the grade ${quote(gradeText)} is not a whole number`);
  }
  return { questionId, documentId, grade };
}

/** Writes the line without its end. Throws for an id or grade that would not come back the same. */
export function formatQrelsLine({ questionId, documentId, grade }: QrelsEntry): string {
  checkWritableQuestionId(questionId);
  checkWritableId(documentId, 'document id');
  if (!Number.isSafeInteger(grade)) {
    throw new TrecLineError(`the grade ${grade} is not a whole number`);
  }
  return `${questionId} 0 ${documentId} ${grade}`;
}

function parseGrade(text: string): number | undefined {
  if (!/^[+-]?[0-9]+(?:\.0*)?$/.test(text)) return undefined;
  const grade = Number(text);
  // + 0 turns -0 into 0.
  return Number.isSafeInteger(grade) ? grade + 0 : undefined;
}
