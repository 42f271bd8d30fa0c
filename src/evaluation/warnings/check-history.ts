import { listRewrites } from '../../model/pipeline-configuration.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import { warnIf } from '../../model/warnings.ts';
import { describeConfiguration } from '../../retrieval/registry.ts';
import type { RankingCheck } from './ranking-check.ts';

/** Conversations that no stage reads: follow-up questions are searched without their history. */
export function checkHistory(configuration: SearchConfiguration): RankingCheck {
  const rewrites = listRewrites(configuration.pipeline ?? {});
  const isRead =
    describeConfiguration(configuration).readsHistory ||
    rewrites.some(({ type }) => type === 'followUp');
  let questions = 0;
  return {
    add({ question: { history = [] } }) {
      if (!isRead && history.length > 0) questions += 1;
    },
    toList: () =>
      warnIf(questions, {
        code: 'unused-history',
        message:
          'Questions have a "history", but the search does not read it: each is searched by its own text only. A pipeline with the rewriting "followUp" completes such questions',
      }),
  };
}
