import type { Measure } from '../../ir/measures/measure.ts';
import { toComparableId } from '../../ir/comparable-ids.ts';
import { toJudgments } from '../../ir/qrels.ts';
import { warnIf } from '../../model/warnings.ts';
import type { RankingCheck, SeenRanking } from './ranking-check.ts';

/** The deepest cut-off of any measure; 0 when none has one. */
export function findDeepest(measures: readonly Measure[]): number {
  return Math.max(0, ...measures.map(({ cutoff }) => cutoff ?? 0));
}

export interface RankingDepth {
  /** How many documents of a ranking are kept. */
  readonly depth: number;
  /** How many are searched; absent: it is not known. */
  readonly documents?: number | undefined;
}

/** A cut-off deeper than what was kept, or than what the search brought. */
export function checkDepth(
  { depth, documents = Number.POSITIVE_INFINITY }: RankingDepth,
  deepest: number,
): RankingCheck {
  const counts = { asked: 0, short: 0 };
  const reachable = Math.min(depth, deepest, documents);
  return {
    add({ hits, values }) {
      if (!values) return;
      counts.asked += 1;
      if (hits.length < reachable) counts.short += 1;
    },
    toList: () => [
      ...warnIf(depth < deepest ? counts.asked : 0, {
        code: 'depth-below-cutoff',
        message: `Rankings are kept to depth ${depth}, but a measure looks at the top ${deepest}: ranks in between count as not found`,
      }),
      ...warnIf(counts.short, {
        code: 'short-ranking',
        message: `The search returned fewer than ${reachable} documents`,
      }),
    ],
  };
}

/** Measures without a cut-off read the whole ranking, those of judged documents as far as k of them; of a long one only the top was kept. */
export function checkTruncation(depth: number, measures: readonly Measure[]): RankingCheck {
  const uncut = measures.filter(({ cutoff, judgedOnly }) => cutoff === undefined || judgedOnly);
  const cut = new Set<string>();
  let questions = 0;
  return {
    add({ question, hits, values }) {
      if (!values || uncut.length === 0 || hits.length < depth) return;
      const judged = countJudged(question, hits);
      const looking = uncut.filter(({ cutoff = Number.POSITIVE_INFINITY }) => judged < cutoff);
      for (const { name } of looking) cut.add(name);
      questions += looking.length > 0 ? 1 : 0;
    },
    toList: () =>
      warnIf(questions, {
        code: 'cut-ranking',
        message: `Rankings reach the kept depth of ${depth}, but ${[...cut].join(', ')} would look further: deeper ranks count as not found`,
      }),
  };
}

function countJudged({ judgments }: SeenRanking['question'], hits: SeenRanking['hits']): number {
  const grades = toJudgments(judgments);
  return hits.filter(
    ({ documentId }) => documentId !== null && (grades.get(toComparableId(documentId)) ?? -1) >= 0,
  ).length;
}

/** Searches that found nothing at all: an empty ranking scores 0, and so many have one cause. */
export function checkNothingReturned(): RankingCheck {
  const counts = { questions: 0, empty: 0 };
  return {
    add({ hits }) {
      counts.questions += 1;
      counts.empty += hits.length === 0 ? 1 : 0;
    },
    toList: () =>
      warnIf(counts.empty === counts.questions ? counts.questions : 0, {
        code: 'nothing-returned',
        message: `The search returned nothing for ${counts.questions === 1 ? 'the only question' : `any of ${counts.questions} questions`}. Check what it searches and its filters`,
      }),
  };
}
