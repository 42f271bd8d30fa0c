import type { QrelsEntry } from '../trec/qrels-line.ts';
import { checkId } from './check-id.ts';
import { readCsvHeader, withLine } from './csv-columns.ts';
import { formatCsvRecord, type CsvRecord } from './csv-records.ts';
import { checkGrade, readGrade } from './read-number.ts';

const columns = ['question', 'document', 'grade'];

export const csvQrelsHeader = formatCsvRecord(columns);

/** Reads the records of a CSV qrels file behind its header, `question,document,grade` in any order. */
export function createCsvQrelsParser(header: CsvRecord): (record: CsvRecord) => QrelsEntry {
  const readColumns = readCsvHeader(header, [columns]);
  return (record) => {
    const { question = '', document = '', grade = '' } = readColumns(record);
    return withLine(record, () => ({
      questionId: checkId(question, 'question id'),
      documentId: checkId(document, 'document id'),
      grade: readGrade(grade),
    }));
  };
}

/** Writes the record without its line end. Any id of valid Unicode can be held. */
export function formatCsvQrels({ questionId, documentId, grade }: QrelsEntry): string {
  return formatCsvRecord([
    checkId(questionId, 'question id'),
    checkId(documentId, 'document id'),
    String(checkGrade(grade)),
  ]);
}
