import type { QrelsEntry } from '../trec/qrels-line.ts';
import { quote } from '../trec/trec-line-error.ts';
import { checkId } from './check-id.ts';
import { InterchangeError } from './interchange-error.ts';
import { checkGrade, readGrade } from './read-number.ts';

/** The first line of a BEIR qrels file (`qrels/*.tsv`; Thakur et al., BEIR, NeurIPS 2021). */
export const beirQrelsHeader = 'query-id\tcorpus-id\tscore';

/** Refuses a file without the header, whose first judgment BEIR's own loader would skip. */
export function checkBeirQrelsHeader(line: string): void {
  if (stripLineEnd(line).replace(/^\uFEFF/, '') === beirQrelsHeader) return;
  throw new InterchangeError(
    `the first line is ${quote(stripLineEnd(line))} instead of the header query-id, corpus-id, score separated by tabs`,
  );
}

/** Reads one line behind the header, with or without its line end; undefined for an empty one. */
export function parseBeirQrelsLine(line: string): QrelsEntry | undefined {
  const text = stripLineEnd(line);
  if (text === '') return undefined;
  const columns = text.split('\t');
  const [questionId = '', documentId = '', grade = ''] = columns;
  if (columns.length !== 3) {
    throw new InterchangeError(`${columns.length} columns instead of 3, separated by tabs`);
  }
  return {
    questionId: checkColumn(questionId, 'question id'),
    documentId: checkColumn(documentId, 'document id'),
    grade: readGrade(grade),
  };
}

/** Writes the line without its end. Throws for an id or grade that would not come back the same. */
export function formatBeirQrelsLine({ questionId, documentId, grade }: QrelsEntry): string {
  checkColumn(questionId, 'question id');
  checkColumn(documentId, 'document id');
  return `${questionId}\t${documentId}\t${checkGrade(grade)}`;
}

/** BEIR's loader takes a quotation mark at the start of a column for CSV quoting. */
function checkColumn(id: string, what: string): string {
  checkId(id, what);
  if (/[\t\r\n]/.test(id)) {
    throw new InterchangeError(`the ${what} ${quote(id)} contains a tab or a line end`);
  }
  if (id.startsWith('"')) {
    throw new InterchangeError(`the ${what} ${quote(id)} starts with a quotation mark`);
  }
  return id;
}

function stripLineEnd(line: string): string {
  return line.replace(/\r?\n?$/, '');
}
