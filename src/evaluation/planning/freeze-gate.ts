import { InvalidInputError } from '../../errors.ts';
import { parseMeasure } from '../../ir/measures/parse-measure.ts';
import { findBaseline } from '../../storage/catalog/baselines.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { EvaluationPlan } from '../../model/evaluation-plan.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { getConfiguration } from '../lifecycle/describe-evaluation.ts';
import { hashJson } from '../../model/hash-content.ts';
import { parseMeasures, parseOneMeasure } from '../measures/resolve-measures.ts';
import type { GateRequest, GateSnapshot } from '../../model/gate.ts';

/** What an evaluation will measure, as far as it is fixed. */
export interface SubjectSnapshot {
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
export async function freezeGate(
  db: Database,
  gate: GateRequest,
  { set, plan, configurations }: SubjectSnapshot,
): Promise<GateSnapshot> {
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
  return refuse('/body/gate/minJudged/measure', `'${name}' is not a judged@k measure`);
}

function refuse(pointer: string, detail: string): never {
  throw new InvalidInputError('Invalid gate', [{ pointer, detail }]);
}
