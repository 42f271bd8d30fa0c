/**
 * The largest share of all questions on which everything could be lost without one of `questions` drawn questions
 * showing it: 1 − (1 − confidence)^(1/n), the exact upper bound of a proportion that was seen 0 times out of n
 * (Clopper and Pearson, Biometrika 26, 1934). 1 for no question. Throws RangeError for a count that is not a whole
 * number of 0 or more, and for a confidence outside (0, 1).
 */
export function blindTo(questions: number, confidence: number): number {
  if (!Number.isSafeInteger(questions) || questions < 0) {
    throw new RangeError(`questions must be a whole number of 0 or more, not ${questions}`);
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`confidence must lie between 0 and 1, not ${confidence}`);
  }
  return questions === 0 ? 1 : -Math.expm1(Math.log1p(-confidence) / questions);
}
