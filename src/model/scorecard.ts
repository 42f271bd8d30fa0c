import type { AverageRule } from './question.ts';
import type { BootstrapInterval } from '../ir/statistics/bootstrap.ts';
import type { MeanInterval } from '../ir/statistics/mean-interval.ts';
import { completeWarning, type Warning } from './warnings.ts';
import type { Bounds } from '../ir/unjudged/bounds.ts';
import type { PipelineStage, StageCost } from './pipeline-trace.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Mean by measure; null when no question is in the means. */
export type Means = Readonly<Record<string, number | null>>;

/**
 * Where each mean lies if the questions were drawn anew, by measure; null below two questions. Scorecards that were stored
 * before `MeanInterval` hold a BCa interval.
 */
export type Intervals = Readonly<Record<string, MeanInterval | BootstrapInterval | null>>;

export interface Slice {
  readonly questions: number;
  readonly measures: Means;
  /** Only where they were asked for. */
  readonly intervals?: Intervals | undefined;
}

/** The measures of one search configuration in an evaluation. */
export interface ScorecardRow {
  readonly configuration: string;
  readonly backend: string;
  /** Passages of the corpus that was searched, as it was cut. Absent where that is not known. */
  readonly passages?: number | undefined;
  readonly questions: {
    readonly scored: number;
    /** Of the scored: those whose search brought back nothing. */
    readonly empty: number;
    readonly failed: number;
    readonly unanswerable: number;
    /** Without one judgment; absent in scorecards that are older than the count. */
    readonly unlabelled?: number | undefined;
  };
  /** Over which questions the means go; absent in scorecards that are older than the choice. */
  readonly average?: AverageRule | undefined;
  /** How many those are; absent as `average`. */
  readonly averagedQuestions?: number | undefined;
  readonly measures: Means;
  /** Only where they were asked for. */
  readonly intervals?: Intervals | undefined;
  /** What each mean could be, whatever the unjudged documents are; only where it was asked for. */
  readonly bounds?: BoundsByMeasure | undefined;
  /** By dimension, then by value. */
  readonly slices: Readonly<Record<string, Readonly<Record<string, Slice>>>>;
  /** Forbidden documents that came back. */
  readonly leaks: { readonly questions: number; readonly documents: number };
  /** The causes of failed searches, most frequent first. */
  readonly failures: readonly {
    readonly code: string;
    readonly detail: string;
    readonly questions: number;
  }[];
  readonly usage: {
    readonly searches: number;
    readonly searchAttempts: number;
    readonly pairsReranked: number;
    readonly modelCalls: number;
    /** Made once more without the conditions of the user, for the diagnosis. Not among the searches. */
    readonly unfilteredSearches?: number | undefined;
    /** Absent in scorecards that are older than the count. */
    readonly promptTokens?: number | undefined;
    readonly completionTokens?: number | undefined;
  };
  /** Where relevant documents are lost; only where it was asked for. */
  readonly diagnosis?: Diagnosis | undefined;
  /** Only where the configuration has a pipeline. */
  readonly pipeline?: PipelineUsage | undefined;
  readonly latencyMs: Latency | null;
  readonly warnings: readonly Warning[];
}

export interface Latency {
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** A row as it was stored, whose warnings may be older than severities. */
export function completeRow(row: ScorecardRow): ScorecardRow {
  return { ...row, warnings: row.warnings.map(completeWarning) };
}

/** How many questions a row is of, whatever became of them. */
export function countAsked({ questions }: Pick<ScorecardRow, 'questions'>): number {
  const { scored, failed, unanswerable, unlabelled = 0 } = questions;
  return scored + failed + unanswerable + unlabelled;
}

/** By name, of the measures that have bounds. */
export type BoundsByMeasure = Readonly<Record<string, Bounds>>;

export interface FallbackCause {
  readonly stage: PipelineStage;
  readonly type: string;
  readonly code: string;
  readonly questions: number;
}

export interface StageUsage extends Omit<StageCost, 'latencyMs' | 'promptHash' | 'replies'> {
  readonly questions: number;
  readonly latencyMs: Latency | null;
}

export interface MinScoreUsage {
  /** Hits left out, those that were not re-ranked included. */
  readonly hits: number;
  /** Questions of which any hit was left out. */
  readonly questions: number;
  /** Of these, those without a hit left. */
  readonly emptied: number;
}

/** What the stages of one configuration's pipeline cost over all questions, and how often they gave up. */
export interface PipelineUsage {
  /** In the order in which they ran. Empty in a rescore, which runs none. */
  readonly stages: readonly StageUsage[];
  readonly fallbacks: {
    /** Questions with any. */
    readonly questions: number;
    /** Most frequent first. */
    readonly causes: readonly FallbackCause[];
  };
  /** Questions of which a version lacks a token with a digit. */
  readonly droppedCodes: number;
  /** What `minScore` left out; absent without one. */
  readonly cut?: MinScoreUsage | undefined;
}
