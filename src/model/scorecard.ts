import { z } from 'zod';

import type { BootstrapInterval } from '../ir/statistics/bootstrap.ts';
import type { MeanInterval } from '../ir/statistics/mean-interval.ts';
import { Diagnosis } from './diagnosis.ts';
import type { Immutable } from './immutable.ts';
import { pipelineStages } from './pipeline-trace.ts';
import { averageRules } from './question.ts';
import { completeWarning, StoredWarning, type Warning } from './warnings.ts';

/** Mean by measure; null when no question is in the means. */
const Means = z.record(z.string(), z.number().nullable());
export type Means = Immutable<z.infer<typeof Means>>;

const ends = { low: z.number(), high: z.number() };
const resampled = {
  confidence: z.number(),
  ...ends,
  percentile: z.object(ends),
  resamples: z.number(),
  seed: z.number(),
};

const Interval = z.discriminatedUnion('method', [
  z.object({ method: z.literal('bca-bootstrap'), ...resampled }),
  z.object({
    method: z.enum(['gaffke', 't-and-hall']),
    ...resampled,
    bca: z.object(ends),
    t: z.object(ends),
  }),
]) satisfies z.ZodType<MeanInterval | BootstrapInterval>;

/**
 * Confidence interval of each mean, by measure; null below two questions. Scorecards that were stored
 * before `MeanInterval` hold a BCa interval.
 */
const Intervals = z.record(z.string(), Interval.nullable());
export type Intervals = Immutable<z.infer<typeof Intervals>>;

const Slice = z.object({
  questions: z.number(),
  measures: Means,
  /** Only where they were asked for. */
  intervals: Intervals.optional(),
});
export type Slice = Immutable<z.infer<typeof Slice>>;

/** By name, of the measures that have bounds. */
const BoundsByMeasure = z.record(z.string(), z.object(ends));
export type BoundsByMeasure = Immutable<z.infer<typeof BoundsByMeasure>>;

const Latency = z.object({ mean: z.number(), p50: z.number(), p95: z.number(), max: z.number() });
export type Latency = Immutable<z.infer<typeof Latency>>;

const FallbackCause = z.object({
  stage: z.enum(pipelineStages),
  type: z.string(),
  code: z.string(),
  questions: z.number(),
});
export type FallbackCause = Immutable<z.infer<typeof FallbackCause>>;

const StageUsage = z.object({
  stage: z.enum(pipelineStages),
  type: z.string(),
  questions: z.number(),
  latencyMs: Latency.nullable(),
  searches: z.number(),
  pairsReranked: z.number(),
  modelCalls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
});
export type StageUsage = Immutable<z.infer<typeof StageUsage>>;

const MinScoreUsage = z.object({
  /** Hits left out, those that were not re-ranked included. */
  hits: z.number(),
  /** Questions of which any hit was left out. */
  questions: z.number(),
  /** Of these, those without a hit left. */
  emptied: z.number(),
});
export type MinScoreUsage = Immutable<z.infer<typeof MinScoreUsage>>;

/** What the stages of one configuration's pipeline cost over all questions, and how often they gave up. */
const PipelineUsage = z.object({
  /** In the order in which they ran. Empty in a rescore, which runs none. */
  stages: z.array(StageUsage),
  fallbacks: z.object({
    /** Questions with any. */
    questions: z.number(),
    /** Most frequent first. */
    causes: z.array(FallbackCause),
  }),
  /** Questions of which a version lacks a token with a digit. */
  droppedCodes: z.number(),
  /** What `minScore` left out; absent without one. */
  cut: MinScoreUsage.optional(),
});
export type PipelineUsage = Immutable<z.infer<typeof PipelineUsage>>;

const StoredRow = z.object({
  configuration: z.string(),
  backend: z.string(),
  /** Passages of the corpus that was searched, as it was cut. Absent where that is not known. */
  passages: z.number().optional(),
  questions: z.object({
    scored: z.number(),
    /** Of the scored: those whose search brought back nothing. */
    empty: z.number(),
    failed: z.number(),
    unanswerable: z.number(),
    /** Without one judgment; absent in scorecards that are older than the count. */
    unlabelled: z.number().optional(),
  }),
  /** Over which questions the means go; absent in scorecards that are older than the choice. */
  average: z.enum(averageRules).optional(),
  /** How many those are; absent as `average`. */
  averagedQuestions: z.number().optional(),
  measures: Means,
  /** Only where they were asked for. */
  intervals: Intervals.optional(),
  /** What each mean could be, whatever the unjudged documents are; only where it was asked for. */
  bounds: BoundsByMeasure.optional(),
  /** By dimension, then by value. */
  slices: z.record(z.string(), z.record(z.string(), Slice)),
  /** Forbidden documents that were retrieved. */
  leaks: z.object({ questions: z.number(), documents: z.number() }),
  /** The causes of failed searches, most frequent first. */
  failures: z.array(z.object({ code: z.string(), detail: z.string(), questions: z.number() })),
  usage: z.object({
    searches: z.number(),
    searchAttempts: z.number(),
    pairsReranked: z.number(),
    modelCalls: z.number(),
    /** Searches without the conditions of the user, for the diagnosis. Not counted in `searches`. */
    unfilteredSearches: z.number().optional(),
    /** Absent in scorecards that are older than the count. */
    promptTokens: z.number().optional(),
    completionTokens: z.number().optional(),
  }),
  /** Where relevant documents are lost; only where it was asked for. */
  diagnosis: Diagnosis.optional(),
  /** Only where the configuration has a pipeline. */
  pipeline: PipelineUsage.optional(),
  latencyMs: Latency.nullable(),
  warnings: z.array(StoredWarning),
});
type StoredRow = Immutable<z.infer<typeof StoredRow>>;

/** The measures of one search configuration in an evaluation. */
export type ScorecardRow = Omit<StoredRow, 'warnings'> & { readonly warnings: readonly Warning[] };

/** A row for each configuration of an evaluation. */
export const StoredScorecard = z.array(StoredRow);
export type Scorecard = readonly ScorecardRow[];

/** A row as it was stored, whose warnings may be older than severities. */
export function completeRow(row: StoredRow): ScorecardRow {
  return { ...row, warnings: row.warnings.map(completeWarning) };
}

/** How many questions a row is of, whatever became of them. */
export function countAsked({ questions }: Pick<ScorecardRow, 'questions'>): number {
  const { scored, failed, unanswerable, unlabelled = 0 } = questions;
  return scored + failed + unanswerable + unlabelled;
}
