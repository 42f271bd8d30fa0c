import { toComparableId } from './comparable-ids.ts';
import type { QuestionId, DocumentId } from './ids.ts';
/** One question's judgments: grade by document. 0 or less is judged not relevant; an absent document is unjudged. */
export type Judgments = ReadonlyMap<DocumentId, number>;

/** The judgments of a whole question set. */
export type Qrels = ReadonlyMap<QuestionId, Judgments>;

/** The lowest grade that counts as relevant in binary measures, unless a measure says `(rel=n)`. */
export const defaultRelevantFrom = 1;

/** Grade by document, from a list of verdicts. Ids are comparable ones; the higher grade counts where two become one. */
export function toJudgments(
  verdicts: readonly { readonly documentId: DocumentId; readonly grade: number }[],
): Judgments {
  const judgments = new Map<DocumentId, number>();
  for (const { documentId, grade } of verdicts) {
    const id = toComparableId(documentId);
    judgments.set(id, Math.max(grade, judgments.get(id) ?? grade));
  }
  return judgments;
}
