import type { QrelsEntry } from '../trec/qrels-line.ts';
import { quote } from '../trec/trec-line-error.ts';
import { checkId } from './check-id.ts';
import { InterchangeError } from './interchange-error.ts';
import { checkGrade } from './read-number.ts';

/** The first line of a BEIR qrels file (`qrels/*.tsv`; Thakur et al., BEIR, NeurIPS 2021). */
export const beirQrelsHeader = 'query-id\tcorpus-id\tscore';

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
