import type { Measure } from '../../ir/measures/measure.ts';
import { findDirection } from '../../ir/score-direction.ts';
import { createMean } from '../../ir/stable-sum.ts';
import { nameSome, warnIf, type Warning } from '../../model/warnings.ts';
import type { RankingCheck } from './ranking-check.ts';

/** From this share of questions on, rising scores are the rule and no accident. */
const mostQuestions = 0.9;

/** Scores that rise along the rankings of most questions: they are distances, or the order is upside down. */
export function checkRisingScores(): RankingCheck {
  const directions = { rising: 0, all: 0 };
  return {
    add({ hits, trace }) {
      // What a re-ranker ordered keeps the scores of the search.
      if (trace?.reranked) return;
      const direction = findDirection(hits.map(({ score }) => score));
      if (!direction) return;
      directions.all += 1;
      directions.rising += direction === 'rising' ? 1 : 0;
    },
    toList: () =>
      warnOfRising(directions, 'Scores rise along the rankings, so the best score comes last'),
  };
}

/** `all` are the rankings with two different scores. */
export function warnOfRising(
  { rising, all }: { readonly rising: number; readonly all: number },
  finding: string,
): readonly Warning[] {
  return warnIf(2 * rising > all ? rising : 0, {
    code: 'rising-scores',
    severity: rising >= mostQuestions * all ? 'error' : 'warning',
    message: `${finding}, in ${rising} of ${all} questions. Probably they are distances, of which the smallest is the best: import them negated, or without scores in the right order`,
  });
}

/** A range that moves a mean by less is no more than a note. */
const smallRange = 0.01;

/** Equal scores whose documents could as well stand in another order, where that decides a measure. */
export function checkTies(measures: readonly Measure[]): RankingCheck {
  const ends = measures.map(() => ({ low: createMean(), high: createMean(), isMoved: false }));
  let questions = 0;
  return {
    add({ values, uncertainty }) {
      if (!values || !uncertainty) return;
      const { ties } = uncertainty;
      questions += ties.some((bounds) => bounds !== undefined) ? 1 : 0;
      for (const [index, end] of ends.entries()) {
        const [bounds, value] = [ties[index], values[index] ?? 0];
        end.low.add(bounds?.worst ?? value);
        end.high.add(bounds?.best ?? value);
        end.isMoved ||= bounds !== undefined;
      }
    },
    toList() {
      const ranges = measures.flatMap(({ name }, index) => {
        const { low, high, isMoved = false } = ends[index] ?? {};
        const range = { low: low?.mean ?? 0, high: high?.mean ?? 0 };
        return isMoved ? [[name, range] as const] : [];
      });
      const widest = Math.max(0, ...ranges.map(([, { low, high }]) => high - low));
      const told = ranges.map(
        ([name, { low, high }]) => `${name} from ${low.toFixed(4)} to ${high.toFixed(4)}`,
      );
      return warnIf(questions, {
        code: 'tied-scores',
        severity: widest < smallRange ? 'note' : undefined,
        message: `Documents have equal scores, so their order is arbitrary. In another order, the means would lie elsewhere: ${nameSome(told)}`,
        ranges: Object.fromEntries(ranges),
      });
    },
  };
}
