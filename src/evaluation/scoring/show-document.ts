import { NotFoundError } from '../../errors.ts';
import { type CorpusDocument, findDocument } from '../../storage/catalog/corpora.ts';
import type { Database } from '../../storage/database/database.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import { getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { isInputUnchanged } from '../outcomes/input-hash.ts';

/**
 * The whole text of a document, from the first corpus that the evaluation searched and that still holds what it held.
 * Other backends keep their texts to themselves.
 */
export async function showDocument(
  db: Database,
  evaluationId: string,
  documentId: string,
): Promise<CorpusDocument> {
  const { id } = await getEvaluation(db, evaluationId);
  for (const { input } of await listConfigurations(db, id)) {
    if (input?.kind !== 'corpus' || !(await isInputUnchanged(db, input))) continue;
    const document = await findDocument(db, input.name, documentId);
    if (document) return document;
  }
  throw new NotFoundError('Text of document', documentId);
}
