import type { Hit } from '../run.ts';
import { checkId } from './check-id.ts';
import { formatCsvRecord } from './csv-records.ts';
import { checkScore } from './read-number.ts';
import type { QuestionId } from '../ids.ts';

/** One hit of a run in CSV. */
export interface CsvRunEntry extends Hit {
  readonly questionId: QuestionId;
}

export const csvRunHeader = formatCsvRecord(['question', 'document', 'score']);

/** Writes the record, with its score, without its line end. Any id of valid Unicode can be held. */
export function formatCsvHit({ questionId, documentId, score }: CsvRunEntry): string {
  return formatCsvRecord([
    checkId(questionId, 'question id'),
    checkId(documentId, 'document id'),
    String(checkScore(score)),
  ]);
}
