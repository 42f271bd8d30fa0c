import type { Measure } from '../../ir/measures/measure.ts';
import type { AverageRule, Question } from '../../model/question.ts';
import { createMean } from '../../ir/stable-sum.ts';
import { listPipelineWarnings } from '../../retrieval/pipeline/pipeline-warnings.ts';
import { describeConfiguration, traitsOf } from '../../retrieval/registry.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type { RankingCheck } from './ranking-check.ts';
import { checkAiCore } from './check-aicore.ts';
import { watchLabels } from './watch-labels.ts';
import { checkPipeline } from './check-pipeline.ts';
import { nameSome, warnIf, type Warning } from '../../model/warnings.ts';
import type { Outcome } from '../../model/outcome.ts';

export interface RankingWarnings {
  readonly add: (
    question: Question,
    outcome: Outcome,
    values: readonly number[] | undefined,
  ) => void;
  readonly toList: (leaks: {
    readonly questions: number;
    readonly documents: number;
  }) => readonly Warning[];
}

interface WarningOptions {
  readonly configuration: SearchConfiguration;
  readonly measures: readonly Measure[];
  readonly average: AverageRule;
  readonly hasDocument?: ((documentId: string) => boolean) | undefined;
}

/** Below this mean share of judged documents a measure says more about the labels than about the search. */
const lowJudged = 0.5;

/** Watches the rankings of one configuration for what would make its numbers misleading. */
export function createRankingWarnings(options: WarningOptions): RankingWarnings {
  const { configuration, measures } = options;
  const deepest = findDeepest(measures);
  const traits = traitsOf(configuration.backend);
  const checks = [
    checkDepth(configuration.depth, deepest),
    ...(traits.needsDocumentId ? checkAiCore(configuration, deepest) : []),
    checkTruncation(configuration.depth, measures),
    checkUnmapped(),
    checkJudged(measures),
    checkUnknownDocuments(options.hasDocument),
    ...watchLabels(options.average),
    ...checkPipeline(configuration.pipeline),
  ];
  return {
    add(question, outcome, values) {
      if (!outcome.hits) return;
      const { hits, notes, trace } = outcome;
      for (const check of checks) check.add({ question, hits, notes, trace, values });
    },
    toList: (leaks) => [
      ...checks.flatMap((check) => check.toList()),
      ...warnOfLeaks(leaks),
      ...warnOfIgnoredFields(configuration),
      ...listPipelineWarnings(configuration, traits).map((warning) => ({
        ...warning,
        questions: 0,
      })),
    ],
  };
}

/** The deepest cut-off of any measure; 0 when none has one. */
export function findDeepest(measures: readonly Measure[]): number {
  return Math.max(0, ...measures.map(({ cutoff }) => cutoff ?? 0));
}

/** A cut-off deeper than what was kept, or than what the search brought. */
function checkDepth(depth: number, deepest: number): RankingCheck {
  const counts = { asked: 0, short: 0 };
  const reachable = Math.min(depth, deepest);
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

/** Measures without a cut-off read the whole ranking, and of a long one only the top was kept. */
function checkTruncation(depth: number, measures: readonly Measure[]): RankingCheck {
  const uncut = measures.filter(({ cutoff }) => cutoff === undefined).map(({ name }) => name);
  let questions = 0;
  return {
    add({ hits, values }) {
      if (values && uncut.length > 0 && hits.length === depth) questions += 1;
    },
    toList: () =>
      warnIf(questions, {
        code: 'cut-ranking',
        message: `Rankings reach the kept depth of ${depth}, but ${uncut.join(', ')} would look further: deeper ranks count as not found`,
      }),
  };
}

function checkUnmapped(): RankingCheck {
  const counts = { chunks: 0, questions: 0 };
  const keys = new Set<string>();
  return {
    add({ hits, notes }) {
      for (const key of notes?.unmappedKeys ?? []) keys.add(key);
      const unmapped = hits.filter(({ documentId }) => documentId === null).length;
      counts.chunks += unmapped;
      counts.questions += unmapped > 0 ? 1 : 0;
    },
    toList: () =>
      warnIf(counts.questions, {
        code: 'unmapped-chunks',
        message: `${counts.chunks} chunks had no readable document id; they keep their rank and count as not relevant${keys.size > 0 ? `. Their metadata keys: ${nameSome(keys)}` : '. They had no metadata'}`,
      }),
  };
}

function checkJudged(measures: readonly Measure[]): RankingCheck {
  const judged = measures.flatMap((measure, index) =>
    measure.family === 'judged' ? [{ measure, index, mean: createMean() }] : [],
  );
  let touched = 0;
  return {
    add({ values }) {
      if (!values) return;
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
function checkUnknownDocuments(hasDocument: WarningOptions['hasDocument']): RankingCheck {
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

function warnOfLeaks(leaks: { readonly questions: number; readonly documents: number }) {
  return warnIf(leaks.questions, {
    code: 'leaks',
    message: `${leaks.documents} documents were returned that the user of the question must not see`,
  });
}

function warnOfIgnoredFields(configuration: SearchConfiguration): readonly Warning[] {
  const { ignoredFilterFields: fields } = describeConfiguration(configuration);
  if (fields.length === 0) return [];
  const message = `The ${configuration.backend} backend ignores these fields of filters: ${fields.join(', ')}`;
  return [{ code: 'ignored-filter-fields', message, questions: 0 }];
}
