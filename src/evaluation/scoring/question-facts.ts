import { toComparableId } from '../../ir/comparable-ids.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Question } from '../../model/question.ts';
import { toStatus, type QuestionStatus } from '../outcomes/stream-outcomes.ts';
import { findUncertainty, type RankingUncertainty } from '../warnings/ranking-uncertainty.ts';
import { scoreQuestion, type ScoreScale } from './score-question.ts';

/** What comparisons ask about one question of a run, without its ranking. */
export interface QuestionFacts {
  readonly status: Exclude<QuestionStatus, 'empty'>;
  /** Whether it is in the means of its evaluation. */
  readonly isAveraged: boolean;
  /** Whether a stage of the pipeline was left out for it. */
  readonly hasFallback: boolean;
  /** Whether a returned document is judged for it. */
  readonly hasJudged: boolean;
  /** By the order of the measures; empty outside the means. */
  readonly values: readonly number[];
  /** Only where asked for, and of those in the means. */
  readonly uncertainty?: RankingUncertainty | undefined;
}

interface FactScale extends ScoreScale {
  readonly withUncertainty: boolean;
}

export function findFacts(question: Question, outcome: Outcome, scale: FactScale): QuestionFacts {
  const { hits, trace } = outcome;
  const status = toStatus(question, outcome);
  const values = scoreQuestion(question, outcome, scale);
  return {
    status: status === 'empty' ? 'scored' : status,
    isAveraged: values !== undefined,
    hasFallback: (trace?.fallbacks.length ?? 0) > 0,
    hasJudged: returnsJudged(question, outcome),
    values: values ?? [],
    ...(values &&
      hits &&
      scale.withUncertainty && { uncertainty: findUncertainty(question, hits, scale) }),
  };
}

function returnsJudged({ judgments }: Question, { hits }: Outcome): boolean {
  const judged = new Set(judgments.map(({ documentId }) => toComparableId(documentId)));
  return (hits ?? []).some(
    ({ documentId }) => documentId && judged.has(toComparableId(documentId)),
  );
}
