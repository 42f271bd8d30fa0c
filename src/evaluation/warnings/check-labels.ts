import { findLabelState, type AverageRule } from '../../model/question.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { createMean } from '../../ir/stable-sum.ts';
import type { RankingCheck } from './ranking-check.ts';
import { nameSome, warnIf } from '../../model/warnings.ts';

interface LabelOptions {
  readonly measures: readonly Measure[];
  readonly average: AverageRule;
  readonly hasDocument?: ((documentId: string) => boolean) | undefined;
}

/** What the labels make of the numbers, whatever the search is. */
export function checkLabels(options: LabelOptions): readonly RankingCheck[] {
  const { measures, average, hasDocument } = options;
  return [
    checkJudged(measures),
    checkUnknownDocuments(hasDocument),
    checkNothingRelevant(),
    checkUnlabelled(average),
    checkPerfectMean(measures),
  ];
}

/** Below this mean share of judged documents a measure says more about the labels than about the search. */
const lowJudged = 0.5;

/** Speaks of what was returned: a search that returned nothing has no unjudged document. */
function checkJudged(measures: readonly Measure[]): RankingCheck {
  const judged = measures.flatMap((measure, index) =>
    measure.family === 'judged' ? [{ measure, index, mean: createMean() }] : [],
  );
  let touched = 0;
  return {
    add({ hits, values }) {
      if (!values || hits.length === 0) return;
      for (const { index, mean } of judged) mean.add(values[index] ?? 0);
      if (judged.some(({ index }) => (values[index] ?? 0) < 1)) touched += 1;
    },
    toList() {
      const low = judged.filter(({ mean }) => (mean.mean ?? 1) < lowJudged);
      const named = low.map(({ measure, mean }) => `${measure.name} is ${mean.mean?.toFixed(2)}`);
      return warnIf(low.length > 0 ? touched : 0, {
        code: 'low-judged',
        message: `Most returned documents are unjudged (${named.join(', ')}) and count as not relevant, so the true values may be higher. POST /v1/pool lists what to judge`,
      });
    },
  };
}

/** Labels that no search can ever meet. */
function checkUnknownDocuments(hasDocument: LabelOptions['hasDocument']): RankingCheck {
  const unknown = new Set<string>();
  let questions = 0;
  return {
    add({ question }) {
      if (!hasDocument) return;
      const missing = question.judgments.filter(
        ({ grade, documentId }) => grade > 0 && !hasDocument(documentId),
      );
      for (const { documentId } of missing) unknown.add(documentId);
      questions += missing.length > 0 ? 1 : 0;
    },
    toList: () =>
      warnIf(questions, {
        code: 'unknown-judged-documents',
        message: `The searched data lack documents that are labelled as relevant: ${nameSome(unknown)}`,
      }),
  };
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

function checkUnlabelled(average: AverageRule): RankingCheck {
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

/** Measures that are 1 only where every relevant document stands above every other, judged or not. */
const strictFamilies: ReadonlySet<string> = new Set(['RR', 'AP', 'nDCG', 'nDCG-exp', 'Rprec']);

/** Fewer questions may well be answered without an error. */
const fewQuestions = 5;

/** A search without an error is rare, and labels that were taken from its own answers are not. */
function checkPerfectMean(measures: readonly Measure[]): RankingCheck {
  const strict = measures.flatMap(({ family, judgedOnly, name }, index) =>
    strictFamilies.has(family) && !judgedOnly ? [{ index, name, isPerfect: true }] : [],
  );
  let questions = 0;
  return {
    add({ values }) {
      if (!values) return;
      questions += 1;
      for (const each of strict) each.isPerfect &&= values[each.index] === 1;
    },
    toList() {
      const perfect = strict.filter(({ isPerfect }) => isPerfect).map(({ name }) => name);
      return warnIf(perfect.length > 0 && questions >= fewQuestions ? questions : 0, {
        code: 'perfect-mean',
        message: `${nameSome(perfect)} is 1 for every question. That is rare: the labels may come from the results of this search, or lack documents that other searches find`,
      });
    },
  };
}
