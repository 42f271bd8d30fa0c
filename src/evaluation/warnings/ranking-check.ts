import type { Question } from '../../model/question.ts';
import type { Warning } from '../../model/warnings.ts';
import type { Outcome } from '../../model/outcome.ts';

/** Looks at the rankings of one configuration, one by one, for one thing that would mislead a reader. */
export interface RankingCheck {
  readonly add: (seen: SeenRanking) => void;
  readonly toList: () => readonly Warning[];
}

export interface SeenRanking {
  readonly question: Question;
  readonly hits: NonNullable<Outcome['hits']>;
  readonly notes: Outcome['notes'];
  readonly trace: Outcome['trace'];
  /** The question's measures; undefined: it is outside the means. */
  readonly values: readonly number[] | undefined;
}
