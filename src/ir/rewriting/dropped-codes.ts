import { tokenize } from '../tokenize.ts';

/**
 * The codes of a question that a rewrite of it lacks, in the question's order. A code is a token with a digit,
 * such as a document number: it means one thing, and no other word stands for it.
 */
export function findDroppedCodes(question: string, rewrite: string): readonly string[] {
  const kept = new Set(tokenize(rewrite));
  const codes = new Set(tokenize(question).filter((token) => /\p{N}/u.test(token)));
  return [...codes].filter((code) => !kept.has(code));
}
