import type { QrelsEntry } from '../trec/qrels-line.ts';
import { checkId } from './check-id.ts';
import { formatCsvRecord } from './csv-records.ts';
import { checkGrade } from './read-number.ts';

export const csvQrelsHeader = formatCsvRecord(['question', 'document', 'grade']);

/** Writes the record without its line end. Any id of valid Unicode can be held. */
export function formatCsvQrels({ questionId, documentId, grade }: QrelsEntry): string {
  return formatCsvRecord([
    checkId(questionId, 'question id'),
    checkId(documentId, 'document id'),
    String(checkGrade(grade)),
  ]);
}
