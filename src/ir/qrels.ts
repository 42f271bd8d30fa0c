export type QuestionId = string;
export type DocumentId = string;

/** One question's judgments: grade by document. 0 or less is judged not relevant; an absent document is unjudged. */
export type Judgments = ReadonlyMap<DocumentId, number>;

/** The judgments of a whole question set. */
export type Qrels = ReadonlyMap<QuestionId, Judgments>;

/** The lowest grade that counts as relevant in binary measures, unless a measure says `(rel=n)`. */
export const defaultRelevantFrom = 1;

/** Grade by document, from a list of verdicts. */
export function toJudgments(
  verdicts: readonly { readonly documentId: DocumentId; readonly grade: number }[],
): Judgments {
  return new Map(verdicts.map(({ documentId, grade }) => [documentId, grade]));
}
