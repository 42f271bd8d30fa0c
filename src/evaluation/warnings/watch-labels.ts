import { findLabelState, type AverageRule } from '../../model/question.ts';
import type { RankingCheck } from './ranking-check.ts';
import { nameSome, warnIf } from '../../model/warnings.ts';

/** Watches for questions that no document is relevant to, as far as their judgments say. */
export function watchLabels(average: AverageRule): readonly RankingCheck[] {
  return [checkNothingRelevant(), watchUnlabelled(average)];
}

function checkNothingRelevant(): RankingCheck {
  let questions = 0;
  return {
    add({ question, values }) {
      if (values && findLabelState(question) === 'judged') questions += 1;
    },
    toList: () =>
      warnIf(questions, {
        code: 'no-relevant-document',
        message: 'No document is judged relevant: the question always scores 0',
      }),
  };
}

function watchUnlabelled(average: AverageRule): RankingCheck {
  const ids: string[] = [];
  const effect =
    average === 'set'
      ? 'these questions count as 0 in the means'
      : 'these questions are excluded from all means';
  return {
    add({ question }) {
      if (findLabelState(question) === 'unlabelled') ids.push(question.id);
    },
    toList: () =>
      warnIf(ids.length, {
        code: 'unlabelled-questions',
        message: `No judgments yet for ${nameSome(ids)}: ${effect}. POST /v1/pool lists what to judge for them first`,
      }),
  };
}
