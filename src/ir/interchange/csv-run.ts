import type { Hit } from '../run.ts';
import { quote } from '../trec/trec-line-error.ts';
import { checkId } from './check-id.ts';
import { readCsvHeader, withLine } from './csv-columns.ts';
import { formatCsvRecord, type CsvRecord } from './csv-records.ts';
import { InterchangeError } from './interchange-error.ts';
import { checkScore, readScore } from './read-number.ts';
import type { QuestionId } from '../ids.ts';

const scoreColumns = ['question', 'document', 'score'];
const rankColumns = ['question', 'document', 'rank'];

/** One hit of a run in CSV. */
export interface CsvRunEntry extends Hit {
  readonly questionId: QuestionId;
}

export const csvRunHeader = formatCsvRecord(scoreColumns);

/**
 * Reads the records of a CSV run behind its header, `question,document,score` or `question,document,rank` in
 * any order. A rank (a whole number from 1) becomes the score 1 / rank, which gives the same order; two
 * documents with one rank are tied.
 */
export function createCsvRunParser(header: CsvRecord): (record: CsvRecord) => CsvRunEntry {
  const readColumns = readCsvHeader(header, [scoreColumns, rankColumns]);
  return (record) => {
    const { question = '', document = '', score, rank = '' } = readColumns(record);
    return withLine(record, () => ({
      questionId: checkId(question, 'question id'),
      documentId: checkId(document, 'document id'),
      score: score === undefined ? 1 / readRank(rank) : readScore(score),
    }));
  };
}

/** Writes the record, with its score, without its line end. Any id of valid Unicode can be held. */
export function formatCsvHit({ questionId, documentId, score }: CsvRunEntry): string {
  return formatCsvRecord([
    checkId(questionId, 'question id'),
    checkId(documentId, 'document id'),
    String(checkScore(score)),
  ]);
}

function readRank(text: string): number {
  const rank = /^[1-9][0-9]*$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(rank)) {
    throw new InterchangeError(`the rank ${quote(text)} is not a whole number of 1 or more`);
  }
  return rank;
}
