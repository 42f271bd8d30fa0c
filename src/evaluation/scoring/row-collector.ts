import type { Measure } from '../../ir/measures/measure.ts';
import {
  sliceValues,
  type AverageRule,
  type Question,
  type SliceDimension,
} from '../../model/question.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import { traitsOf } from '../../retrieval/registry.ts';
import { findLeaks, toStatus } from '../outcomes/stream-outcomes.ts';
import { summarizeLatencies } from './latency.ts';
import { createMeans, type MeansCollector } from './means.ts';
import { createRankingWarnings } from '../warnings/ranking-warnings.ts';
import { createPipelineUsage } from './pipeline-usage.ts';
import type { QuestionFacts } from './question-facts.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Warning } from '../../model/warnings.ts';

export interface RowCollector {
  readonly add: (question: Question, outcome: Outcome, facts: QuestionFacts) => void;
  /** `dataWarnings` are about what was searched, and not about the rankings. */
  readonly toRow: (dataWarnings?: readonly Warning[]) => ScorecardRow;
}

export interface RowOptions {
  readonly name: string;
  readonly configuration: SearchConfiguration;
  /** Nothing was searched: there are no costs. */
  readonly isRescore: boolean;
  readonly measures: readonly Measure[];
  readonly average: AverageRule;
  readonly sliceBy: readonly SliceDimension[];
  readonly passages?: number | undefined;
  /** How many documents are searched; absent: it is not known. */
  readonly documents?: number | undefined;
  readonly hasDocument?: ((documentId: string) => boolean) | undefined;
}

/** Builds one scorecard row from a stream of questions, in memory that does not grow with their number. */
export function createRowCollector(options: RowOptions): RowCollector {
  const { measures, sliceBy, average } = options;
  const counts = { scored: 0, empty: 0, failed: 0, unanswerable: 0, unlabelled: 0 };
  const usage = { ...noUsage };
  const pipeline = createPipelineUsage();
  const leaks = { questions: 0, documents: 0 };
  const failures = createFailureCounts();
  const latencies: number[] = [];
  const all = createMeans(measures);
  const slices = createSlices(measures, sliceBy);
  const warnings = createRankingWarnings(options);
  const isSearched = !options.isRescore && traitsOf(options.configuration.backend).isSearched;

  function count(question: Question, outcome: Outcome): void {
    const status = toStatus(question, outcome);
    if (status === 'empty') counts.scored += 1;
    counts[status] += 1;
    failures.add(outcome);
    const leaked = findLeaks(question, outcome).length;
    leaks.questions += leaked > 0 ? 1 : 0;
    leaks.documents += leaked;
    usage.searches += outcome.searches;
    usage.searchAttempts += outcome.attempts;
    usage.pairsReranked += outcome.pairsReranked;
    usage.modelCalls += outcome.modelCalls;
    usage.promptTokens += outcome.promptTokens;
    usage.completionTokens += outcome.completionTokens;
    pipeline.add(outcome);
    if (isSearched && outcome.hits) latencies.push(outcome.latencyMs);
  }

  return {
    add(question, outcome, facts) {
      const { isAveraged, values } = facts;
      count(question, outcome);
      warnings.add(question, outcome, facts);
      if (!isAveraged) return;
      all.add(values);
      slices.add(question, values);
    },
    toRow: (dataWarnings = []) => ({
      configuration: options.name,
      backend: options.configuration.backend,
      ...(options.passages !== undefined && { passages: options.passages }),
      questions: counts,
      average,
      averagedQuestions: all.count(),
      measures: all.toMeans(),
      slices: slices.toSlices(),
      leaks,
      failures: failures.toList(),
      usage,
      pipeline: pipeline.toUsage(),
      latencyMs: summarizeLatencies(latencies),
      warnings: warnings.toList(leaks, dataWarnings),
    }),
  };
}

const noUsage = {
  searches: 0,
  searchAttempts: 0,
  pairsReranked: 0,
  modelCalls: 0,
  promptTokens: 0,
  completionTokens: 0,
};

interface Slices {
  readonly add: (question: Question, values: readonly number[]) => void;
  readonly toSlices: () => ScorecardRow['slices'];
}

function createSlices(measures: readonly Measure[], sliceBy: readonly SliceDimension[]): Slices {
  const byDimension = new Map(sliceBy.map((name) => [name, new Map<string, MeansCollector>()]));
  return {
    add(question, values) {
      for (const [dimension, byValue] of byDimension) {
        for (const value of sliceValues(question, dimension)) {
          const means = byValue.get(value) ?? createMeans(measures);
          means.add(values);
          byValue.set(value, means);
        }
      }
    },
    toSlices: () =>
      Object.fromEntries([...byDimension].map(([name, means]) => [name, toSlice(means)])),
  };
}

function toSlice(byValue: ReadonlyMap<string, MeansCollector>): ScorecardRow['slices'][string] {
  const sorted = [...byValue].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const entries = sorted.map(
    ([value, means]) => [value, { questions: means.count(), measures: means.toMeans() }] as const,
  );
  return Object.fromEntries(entries);
}

interface FailureCounts {
  readonly add: (outcome: Outcome) => void;
  readonly toList: () => ScorecardRow['failures'];
}

/** Causes that a scorecard counts separately; the per-question list has them all. */
const maxCauses = 20;

function createFailureCounts(): FailureCounts {
  const causes = new Map<string, { code: string; detail: string; questions: number }>();
  return {
    add({ error }) {
      if (!error) return;
      const key = JSON.stringify([error.code, error.detail]);
      const isKept = causes.has(key) || causes.size < maxCauses;
      const cause = isKept ? error : { code: 'other', detail: 'Other causes; see the questions' };
      const place = isKept ? key : 'other';
      const counted = causes.get(place) ?? { ...cause, questions: 0 };
      counted.questions += 1;
      causes.set(place, counted);
    },
    toList: () => [...causes.values()].toSorted((a, b) => b.questions - a.questions),
  };
}
