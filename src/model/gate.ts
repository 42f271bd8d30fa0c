import { z } from 'zod';

import { gateVerdicts } from '../ir/statistics/gate-verdict.ts';
import type { NonInferiority } from '../ir/statistics/non-inferiority.ts';
import { strengths, type Strength } from '../ir/statistics/strength.ts';
import type { Immutable } from './immutable.ts';
import { sliceDimensions, type SliceDimension } from './question.ts';

const MinJudged = z.object({ measure: z.string(), value: z.number() });
const Slices = z.array(z.enum(sliceDimensions));
const StrengthName = z.enum(strengths);
const Verdict = z.enum(gateVerdicts);

/** What must reach a minimum: the lower end of the mean's interval, or the mean. */
export const floorSides = ['interval', 'mean'] as const;
const FloorSide = z.enum(floorSides);
export type FloorSide = z.infer<typeof FloorSide>;

/** What becomes of a verdict that is inconclusive. */
export const inconclusiveRules = ['report', 'fail', 'pass'] as const;
const OnInconclusive = z.enum(inconclusiveRules);
export type OnInconclusive = z.infer<typeof OnInconclusive>;

/** A mean that must be reached, whatever the baseline. */
const Floor = z.object({ measure: z.string(), minimum: z.number(), on: FloorSide });
export type Floor = Immutable<z.infer<typeof Floor>>;

/** One rule of a gate: a drop from the baseline, or a floor. */
export type CheckRequest = { readonly measure: string; readonly maxDrop: number } | Floor;

/** What a request says of its gate: `checks`, or one rule for exactly one of `measure` and `measures`. */
export interface GateRequest {
  /** The name of a baseline, or another configuration of the evaluation; absent: there is no `maxDrop`. */
  readonly baseline?: string | { readonly configuration: string } | undefined;
  readonly measure?: string | undefined;
  readonly measures?: readonly string[] | undefined;
  /** Exactly one of `maxDrop` and `minimum`. */
  readonly maxDrop?: number | undefined;
  readonly minimum?: number | undefined;
  readonly on?: FloorSide | undefined;
  readonly checks?: readonly CheckRequest[] | undefined;
  /** Default: report. */
  readonly onInconclusive?: OnInconclusive | undefined;
  /** What to do where the baseline does not exist. Default: the evaluation is refused. */
  readonly missingBaseline?: 'fail' | 'pass' | undefined;
  /** Whether the corpus may be another than the baseline's. */
  readonly acceptInputChange?: boolean | undefined;
  readonly allowedFailedShare: number;
  /** Default: 0. Schedules that are older than pipelines lack it. */
  readonly allowedFallbackShare?: number | undefined;
  readonly minJudged?: { readonly measure: string; readonly value: number } | undefined;
  readonly slices: readonly SliceDimension[];
  /** Default: `maxDrop`. */
  readonly sliceMaxDrop?: number | undefined;
  readonly minSliceQuestions: number;
  readonly confidence: number;
  /** Default: usual. Schedules that are older lack it. */
  readonly strength?: Strength | undefined;
}

/** A gate as it was fixed with its evaluation, before the first search. */
export const GateSnapshot = z.object({
  /** The run that the name meant then; null where no check needs one, or it did not exist and that is accepted. */
  baseline: z
    .object({
      name: z.string(),
      /** null: the gated evaluation itself. */
      evaluation: z.string().nullable(),
      configuration: z.string(),
    })
    .nullable(),
  /** The baseline that did not exist when the gate was made, which is accepted. */
  missingBaseline: z.string().optional(),
  /** Those compared with the baseline, by canonical names. */
  measures: z.array(z.string()),
  /** The largest of the checks'. */
  maxDrop: z.number(),
  /** Of measures with one of their own. */
  maxDrops: z.record(z.string(), z.number()).optional(),
  floors: z.array(Floor).optional(),
  onInconclusive: OnInconclusive.optional(),
  acceptInputChange: z.boolean().optional(),
  allowedFailedShare: z.number(),
  /** Absent in gates that are older than pipelines. */
  allowedFallbackShare: z.number().optional(),
  minJudged: MinJudged.nullable(),
  slices: Slices,
  sliceMaxDrop: z.number(),
  minSliceQuestions: z.number(),
  confidence: z.number(),
  /** Absent in gates that are older than it, which are `usual`. */
  strength: StrengthName.optional(),
  /** Over the rules above, the baseline, and everything that will be measured. */
  hash: z.string(),
});
export type GateSnapshot = Immutable<z.infer<typeof GateSnapshot>>;

const Bounds = z.object({ low: z.number(), high: z.number() }).nullable();

const NonInferiority = z.object({
  questions: z.number(),
  means: z.object({ baseline: z.number().nullable(), candidate: z.number().nullable() }),
  meanDifference: z.number().nullable(),
  bounds: z.object({ t: Bounds, bca: Bounds }),
  lowerBound: z.number().nullable(),
  upperBound: z.number().nullable(),
  pLarger: z.number().nullable(),
  isTooFew: z.boolean(),
}) satisfies z.ZodType<NonInferiority>;

/** One measure, over all questions or those of one slice. */
const GateCheck = NonInferiority.extend({
  measure: z.string(),
  slice: z.object({ dimension: z.string(), value: z.string() }).nullable(),
  maxDrop: z.number(),
  /** `pLarger` after Holm over the counted checks of the configuration. */
  pAdjusted: z.number().nullable(),
  /** False: a slice with fewer questions than the gate asks for. It is shown and decides nothing. */
  isCounted: z.boolean(),
  verdict: Verdict,
  /** By which strength `pass` was decided: `usual` also for DCG in a guaranteed gate. Absent in older decisions. */
  strength: StrengthName.exactOptional(),
  /** The share of questions on which everything could be lost unseen, at 95 %. Absent in older decisions. */
  blindTo: z.number().exactOptional(),
  /** Fewer cannot pass without a gain; `null`: no number can. Absent in older decisions. */
  questionsNeeded: z.number().nullable().exactOptional(),
  /** Whether every ranking is the baseline's. Absent in older decisions. */
  isIdentical: z.boolean().exactOptional(),
  /** Of a check that was decided by it. Absent in older decisions. */
  guarantee: z.object({ p: z.number(), lowerBound: z.number() }).nullable().exactOptional(),
  /** What a reader must know beside the numbers. */
  notes: z.array(z.string()),
});
export type GateCheck = Immutable<z.infer<typeof GateCheck>>;

const GateObstacle = z.object({
  code: z.enum([
    'baseline-gone',
    'question-set-changed',
    'input-changed',
    'other-questions',
    'no-judged-document-returned',
    'failures',
    'baseline-failures',
    'fallbacks',
    'baseline-fallbacks',
    'low-judged',
  ]),
  verdict: Verdict.exclude(['pass']),
  detail: z.string(),
});
export type GateObstacle = Immutable<z.infer<typeof GateObstacle>>;

/** Of the questions; the baseline's is null without one. */
const Shares = z.object({ baseline: z.number().nullable(), candidate: z.number() });
export type Shares = Immutable<z.infer<typeof Shares>>;

/** A mean beside the minimum that it must reach. */
const FloorCheck = Floor.extend({
  questions: z.number(),
  mean: z.number().nullable(),
  /** At the gate's confidence, from both sides. */
  interval: Bounds,
  verdict: Verdict,
});
export type FloorCheck = Immutable<z.infer<typeof FloorCheck>>;

const FallenQuestion = z.object({
  id: z.string(),
  measure: z.string(),
  baseline: z.number(),
  candidate: z.number(),
  /** Rank of the first relevant document; null: none was found. */
  firstRelevantRank: z.object({
    baseline: z.number().nullable(),
    candidate: z.number().nullable(),
  }),
});
export type FallenQuestion = Immutable<z.infer<typeof FallenQuestion>>;

const ConfigurationDecision = z.object({
  configuration: z.string(),
  verdict: Verdict,
  detail: z.string(),
  /** Why it cannot pass, whatever the tests say. */
  obstacles: z.array(GateObstacle),
  failedShare: Shares.nullable(),
  /** Questions of which a stage of the pipeline was left out. Absent in older decisions. */
  fallbackShare: Shares.nullable().exactOptional(),
  judged: z
    .object({
      measure: z.string(),
      baseline: z.number().nullable(),
      candidate: z.number().nullable(),
    })
    .nullable(),
  /** Empty where the two runs cannot be compared, or one of them has no judged document. */
  checks: z.array(GateCheck),
  /** Absent in older decisions. */
  floors: z.array(FloorCheck).exactOptional(),
  /** The version whose judgments the baseline was scored with again, because only those had changed. */
  rescoredBaseline: z.number().exactOptional(),
  /** The questions that fell most in the first measure, the worst first. Absent in older decisions. */
  fellMost: z.array(FallenQuestion).exactOptional(),
});
export type ConfigurationDecision = Immutable<z.infer<typeof ConfigurationDecision>>;

/** What a gate says of its evaluation. */
export const GateDecision = z.object({
  /** The worst of its configurations'. */
  verdict: Verdict,
  detail: z.string(),
  configurations: z.array(ConfigurationDecision),
});
export type GateDecision = Immutable<z.infer<typeof GateDecision>>;
