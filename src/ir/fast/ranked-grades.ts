/** One question as measures read it. One object is filled again for every question. */
export interface RankedGrades {
  /** By rank; NaN where the document is unjudged, so that no comparison with it holds. May be longer than `length`. */
  grades: Float64Array;
  length: number;
  /** Every grade of the question, falling. */
  judged: Float64Array;
}
