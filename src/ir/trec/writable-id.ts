import { byteOrderMark, isSpace } from './columns.ts';
import { quote, TrecLineError } from './trec-line-error.ts';

/** Throws unless the id survives being written as a column and read again. */
export function checkWritableId(id: string, what: string): void {
  const reason = findIssue(id);
  if (reason !== undefined) {
    throw new TrecLineError(`the ${what} ${quote(id)} ${reason}`);
  }
}

/** As `checkWritableId`, for the first column, in which two more beginnings mean something else. */
export function checkWritableQuestionId(id: string): void {
  checkWritableId(id, 'question id');
  if (id.startsWith('#')) {
    throw new TrecLineError(
      `the question id ${quote(id)} starts with '#', which makes the line a comment`,
    );
  }
  if (id.startsWith(byteOrderMark)) {
    throw new TrecLineError('the question id starts with a byte order mark');
  }
}

function findIssue(id: string): string | undefined {
  if (id === '') return 'is empty';
  for (let index = 0; index < id.length; index += 1) {
    if (isSpace(id.charCodeAt(index))) return 'contains white space, which separates columns';
  }
  if (id.includes('\0')) return 'contains a NUL character, which ends a line for trec_eval';
  return id.isWellFormed() ? undefined : 'is not valid Unicode and has no UTF-8 form';
}
