import { InvalidInputError } from '../errors.ts';
import { parseMeasure } from '../ir/measures/parse-measure.ts';
import type { SliceDimension } from '../ir/question.ts';
import type { Strength } from '../ir/statistics/strength.ts';
import { findBaseline } from '../storage/baselines.ts';
import type { Database } from '../storage/database.ts';
import type { EvaluationConfiguration } from '../storage/evaluation-configurations.ts';
import type { EvaluationPlan } from '../storage/evaluation-plan.ts';
import { findEvaluation } from '../storage/evaluations.ts';
import type { FixedGate } from '../storage/gates.ts';
import { getConfiguration } from './describe-evaluation.ts';
import { hashJson } from './hash-content.ts';
import { parseMeasures, parseOneMeasure } from './resolve-measures.ts';

/** What a request says of its gate; exactly one of `measure` and `measures`. */
export interface GateRequest {
  readonly baseline: string;
  readonly measure?: string | undefined;
  readonly measures?: readonly string[] | undefined;
  readonly maxDrop: number;
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

/** What an evaluation will measure, as far as it is fixed. */
export interface FixedSubject {
  readonly set: {
    readonly name: string;
    readonly version: number;
    readonly contentHash: string;
  };
  readonly plan: EvaluationPlan;
  readonly configurations: readonly EvaluationConfiguration[];
}

/** The canonical names of the measures that a gate reads, judged@k included. Refuses unknown ones. */
export function gateMeasures(gate: GateRequest): readonly string[] {
  const { minJudged } = gate;
  const judged = minJudged ? [parseJudged(minJudged.measure)] : [];
  return [...testedMeasures(gate), ...judged];
}

/** Fixes a gate with what it is held against and what will be measured, and hashes them all. */
export async function fixGate(
  db: Database,
  gate: GateRequest,
  { set, plan, configurations }: FixedSubject,
): Promise<FixedGate> {
  const { maxDrop, allowedFailedShare, minJudged, minSliceQuestions, confidence } = gate;
  const baseline = await findBaseline(db, gate.baseline);
  if (!baseline) refuse('/body/gate/baseline', `baseline '${gate.baseline}' does not exist`);
  const { name, evaluation, configuration } = baseline;
  const rules = {
    baseline: { name, evaluation, configuration },
    measures: testedMeasures(gate),
    maxDrop,
    allowedFailedShare,
    allowedFallbackShare: gate.allowedFallbackShare ?? 0,
    minJudged: minJudged ? { ...minJudged, measure: parseJudged(minJudged.measure) } : null,
    slices: [...new Set(gate.slices)],
    sliceMaxDrop: gate.sliceMaxDrop ?? maxDrop,
    minSliceQuestions,
    confidence,
    strength: gate.strength ?? 'usual',
  } as const;
  const against = {
    contentHash: (await findEvaluation(db, evaluation))?.contentHash,
    configuration: await getConfiguration(db, evaluation, configuration),
  };
  const { name: questionSet, version, contentHash } = set;
  const subject = [{ questionSet, version, contentHash }, plan, configurations];
  return { ...rules, hash: hashJson([rules, against, ...subject]) };
}

function testedMeasures({ measure, measures }: GateRequest): readonly string[] {
  const parsed = measures
    ? parseMeasures(measures, '/body/gate/measures')
    : [parseOneMeasure(measure ?? '', '/body/gate/measure')];
  return parsed.map(({ name }) => name);
}

function parseJudged(name: string): string {
  const measure = parseMeasure(name);
  if (measure?.family === 'judged') return measure.name;
  return refuse('/body/gate/minJudged/measure', `'${name}' is no judged@k`);
}

function refuse(pointer: string, detail: string): never {
  throw new InvalidInputError('The gate cannot be used', [{ pointer, detail }]);
}
