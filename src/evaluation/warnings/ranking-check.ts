import type { Question } from '../../model/question.ts';
import type { Warning } from '../../model/warnings.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { RankingUncertainty } from './ranking-uncertainty.ts';

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
  /** Of the questions that have values. */
  readonly uncertainty: RankingUncertainty | undefined;
}

/** What scoring found about a ranking. */
export interface ScoredRanking {
  readonly isAveraged: boolean;
  readonly values: readonly number[];
  readonly uncertainty?: RankingUncertainty | undefined;
}
