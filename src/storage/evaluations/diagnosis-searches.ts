import { z } from 'zod';

import type { Database } from '../database/database.ts';
import type { DiagnosisSearchTable } from '../tables/evaluation-tables.ts';
import { inBatches } from '../database/in-batches.ts';
import { parseStored } from '../database/parse-stored.ts';
import type { QuestionId, DocumentId } from '../../ir/ids.ts';

/**
 * A search that was made once more without the conditions of the user, to tell what they hide from what is not
 * there. Of what it brought back only the ids are kept, as nobody asked for the rest.
 */
export interface DiagnosisSearch {
  /** Which search of the evaluation it is: configurations that search alike share it. */
  readonly search: string;
  /** Position of the question in the version. */
  readonly question: number;
  readonly questionId: QuestionId;
  /** `null`: it failed. */
  readonly documentIds: readonly DocumentId[] | null;
  readonly attempts: number;
}

/** Stores what is not stored yet. */
export async function insertDiagnosisSearches(
  db: Database,
  evaluationId: string,
  searches: readonly DiagnosisSearch[],
): Promise<void> {
  await inBatches(searches, (batch) =>
    db
      .insertInto('diagnosis_search')
      .values(
        batch.map(({ search, question, questionId, documentIds, attempts }) => ({
          evaluation_id: evaluationId,
          search,
          question,
          question_id: questionId,
          document_ids: documentIds && JSON.stringify(documentIds),
          attempts,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** By position of the question. */
export async function readDiagnosisSearches(
  db: Database,
  evaluationId: string,
  search: string,
): Promise<ReadonlyMap<number, DiagnosisSearch>> {
  const rows = await db
    .selectFrom('diagnosis_search')
    .where('evaluation_id', '=', evaluationId)
    .where('search', '=', search)
    .selectAll()
    .execute();
  return new Map(rows.map((row) => [row.question, toDiagnosisSearch(row)]));
}

/** Forgets those that failed, so that they can be made again, and says how many there were. */
export async function deleteFailedDiagnosisSearches(
  trx: Database,
  evaluationId: string,
): Promise<number> {
  const result = await trx
    .deleteFrom('diagnosis_search')
    .where('evaluation_id', '=', evaluationId)
    .where('document_ids', 'is', null)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Copies them to the places that their questions have in another evaluation, at no cost. */
export async function copyDiagnosisSearches(
  trx: Database,
  { from, to }: { readonly from: string; readonly to: string },
  positions: ReadonlyMap<QuestionId, number>,
): Promise<void> {
  const rows = await trx
    .selectFrom('diagnosis_search')
    .where('evaluation_id', '=', from)
    .selectAll()
    .execute();
  const copies = rows.flatMap((row) => {
    const question = positions.get(row.question_id);
    return question === undefined ? [] : [{ ...toDiagnosisSearch(row), question, attempts: 0 }];
  });
  await insertDiagnosisSearches(trx, to, copies);
}

const DocumentIds = z.array(z.string());

function toDiagnosisSearch(row: DiagnosisSearchTable): DiagnosisSearch {
  const { search, question, question_id: questionId, document_ids: ids, attempts } = row;
  const place = {
    table: 'diagnosis_search',
    column: 'document_ids',
    row: `${row.evaluation_id}/${search}/${question}`,
  } as const;
  const documentIds = ids === null ? null : parseStored(DocumentIds, ids, place);
  return { search, question, questionId, documentIds, attempts };
}
