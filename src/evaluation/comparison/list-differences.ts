import type { QuestionPair } from './pair-questions.ts';
import type { QuestionAttributes } from './asked-heads.ts';

export interface QuestionDifference extends QuestionAttributes {
  readonly id: string;
  readonly text: string;
  readonly baseline: number;
  readonly candidate: number;
  /** Candidate minus baseline; 0 when they differ by rounding only. */
  readonly difference: number;
  readonly outcome: 'win' | 'loss' | 'tie';
}

/** One row a question, made one by one. */
export function* listDifferences(
  pairs: readonly QuestionPair[],
  {
    baseline,
    candidate,
    differences,
  }: {
    readonly baseline: readonly number[];
    readonly candidate: readonly number[];
    readonly differences: readonly number[];
  },
): Generator<QuestionDifference> {
  for (const [place, pair] of pairs.entries()) {
    const difference = differences[place] ?? Number.NaN;
    yield {
      id: pair.baseline.id,
      text: pair.baseline.text,
      ...pair.baseline.attributes,
      baseline: baseline[place] ?? Number.NaN,
      candidate: candidate[place] ?? Number.NaN,
      difference,
      outcome: difference > 0 ? 'win' : difference < 0 ? 'loss' : 'tie',
    };
  }
}
