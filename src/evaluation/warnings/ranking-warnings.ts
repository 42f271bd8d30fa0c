import type { Measure } from '../../ir/measures/measure.ts';
import type { AverageRule, Question } from '../../model/question.ts';
import { listPipelineWarnings } from '../../retrieval/pipeline/pipeline-warnings.ts';
import { describeConfiguration, traitsOf } from '../../retrieval/registry.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type { RankingCheck, ScoredRanking } from './ranking-check.ts';
import { checkAiCore } from './check-aicore.ts';
import { checkDepth, checkNothingReturned, checkTruncation, findDeepest } from './check-depth.ts';
import { checkHistory } from './check-history.ts';
import { checkIds } from './check-ids.ts';
import { checkLabels } from './check-labels.ts';
import { checkPipeline } from './check-pipeline.ts';
import { checkRisingScores, checkTies } from './check-scores.ts';
import { nameSome, orderWarnings, toWarning, warnIf, type Warning } from '../../model/warnings.ts';
import type { Outcome } from '../../model/outcome.ts';

export interface RankingWarnings {
  readonly add: (question: Question, outcome: Outcome, scored: ScoredRanking) => void;
  /** The strongest first, without those that a stronger one explains; `others` are those of the searched data. */
  readonly toList: (
    leaks: { readonly questions: number; readonly documents: number },
    others?: readonly Warning[],
  ) => readonly Warning[];
}

interface WarningOptions {
  readonly configuration: SearchConfiguration;
  readonly measures: readonly Measure[];
  readonly average: AverageRule;
  /** How many documents are searched; absent: it is not known. */
  readonly documents?: number | undefined;
  readonly hasDocument?: ((documentId: string) => boolean) | undefined;
}

/** Watches the rankings of one configuration for what would make its numbers misleading. */
export function createRankingWarnings(options: WarningOptions): RankingWarnings {
  const { configuration, measures, documents } = options;
  const { depth } = configuration;
  const deepest = findDeepest(measures);
  const traits = traitsOf(configuration.backend);
  const checks = [
    checkNothingReturned(),
    checkIds(options.hasDocument),
    checkRisingScores(),
    checkTies(measures),
    checkHistory(configuration),
    checkDepth({ depth, documents }, deepest),
    ...(traits.needsDocumentId ? checkAiCore(configuration, deepest) : []),
    checkTruncation(depth, measures),
    checkUnmapped(),
    ...checkLabels(options),
    ...checkPipeline(configuration.pipeline),
  ];
  return {
    add(question, outcome, { isAveraged, values, uncertainty }) {
      if (!outcome.hits) return;
      const { hits, notes, trace } = outcome;
      const seen = { question, hits, notes, trace, values: isAveraged ? values : undefined };
      for (const check of checks) check.add({ ...seen, uncertainty });
    },
    toList: (leaks, others = []) =>
      orderWarnings([
        ...others,
        ...checks.flatMap((check) => check.toList()),
        ...warnOfLeaks(leaks),
        ...warnOfIgnoredFields(configuration),
        ...listPipelineWarnings(configuration, traits).map((warning) => toWarning(warning, 0)),
      ]),
  };
}

function checkUnmapped(): RankingCheck {
  const counts = { chunks: 0, hits: 0, questions: 0 };
  const keys = new Set<string>();
  return {
    add({ hits, notes }) {
      for (const key of notes?.unmappedKeys ?? []) keys.add(key);
      const unmapped = hits.filter(({ documentId }) => documentId === null).length;
      counts.hits += hits.length;
      counts.chunks += unmapped;
      counts.questions += unmapped > 0 ? 1 : 0;
    },
    toList: () =>
      warnIf(counts.questions, {
        code: 'unmapped-chunks',
        severity: counts.chunks === counts.hits ? 'error' : undefined,
        message: `${counts.chunks} chunks had no readable document id; they keep their rank and count as not relevant${keys.size > 0 ? `. Their metadata keys: ${nameSome(keys)}` : '. They had no metadata'}`,
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
  return [toWarning({ code: 'ignored-filter-fields', message }, 0)];
}
