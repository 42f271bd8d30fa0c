import { type Retriever } from '../../retriever.ts';
import type { QuestionId, DocumentId } from '../../../ir/ids.ts';
import { noCost } from '../../../model/outcome.ts';

/** One question's hits in rank order, or undefined when the run lacks the question. */
export type FindImportedHits = (
  questionId: QuestionId,
) => Promise<
  readonly { readonly documentId: DocumentId; readonly score: number | null }[] | undefined
>;

/**
 * Answers from rankings that a client brought. Nothing is searched, so users and filters do not apply,
 * and a question that the run lacks has an empty ranking, as trec_eval counts it.
 */
export function createImportedRunRetriever(findHits: FindImportedHits): Retriever {
  return {
    async retrieve(_question, { depth, questionId }) {
      const hits = questionId === undefined ? undefined : await findHits(questionId);
      return {
        hits: (hits ?? []).slice(0, depth).map((hit) => ({ ...hit, chunkId: null })),
        cost: noCost,
      };
    },
  };
}
