import { InvalidInputError } from '../../errors.ts';
import { parseMeasure } from '../../ir/measures/parse-measure.ts';
import { findBaseline } from '../../storage/catalog/baselines.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { EvaluationPlan } from '../../model/evaluation-plan.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { getConfiguration } from '../lifecycle/describe-evaluation.ts';
import { hashJson } from '../../model/hash-content.ts';
import type { GateRequest, GateSnapshot } from '../../model/gate.ts';
import { readGateRules } from './gate-rules.ts';

/** The parts of what an evaluation will measure that are fixed. */
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
  const { drops, floors } = readGateRules(gate);
  const judged = minJudged ? [parseJudged(minJudged.measure)] : [];
  return [
    ...drops.map(({ measure }) => measure),
    ...floors.map(({ measure }) => measure),
    ...judged,
  ];
}

/** Freezes a gate, its baseline and what will be measured, and hashes them all. */
export async function freezeGate(
  db: Database,
  gate: GateRequest,
  subject: SubjectSnapshot,
): Promise<GateSnapshot> {
  const { allowedFailedShare, minJudged, minSliceQuestions, confidence } = gate;
  const { drops, floors } = readGateRules(gate);
  const maxDrop = Math.max(0, ...drops.map((drop) => drop.maxDrop));
  const isUniform = drops.every((drop) => drop.maxDrop === maxDrop);
  const found = await findGateBaseline(db, gate, subject);
  const rules = {
    ...found.named,
    measures: drops.map(({ measure }) => measure),
    maxDrop,
    ...(!isUniform && {
      maxDrops: Object.fromEntries(drops.map((drop) => [drop.measure, drop.maxDrop])),
    }),
    ...(floors.length > 0 && { floors }),
    ...(gate.onInconclusive !== 'report' && { onInconclusive: gate.onInconclusive }),
    ...(gate.acceptInputChange === true && { acceptInputChange: true }),
    allowedFailedShare,
    allowedFallbackShare: gate.allowedFallbackShare ?? 0,
    minJudged: minJudged ? { ...minJudged, measure: parseJudged(minJudged.measure) } : null,
    slices: [...new Set(gate.slices)],
    sliceMaxDrop: gate.sliceMaxDrop ?? maxDrop,
    minSliceQuestions,
    confidence,
    strength: gate.strength ?? 'usual',
  } as const;
  const { set, plan, configurations } = subject;
  const { name: questionSet, version, contentHash } = set;
  const measured = [{ questionSet, version, contentHash }, plan, configurations];
  return { ...rules, hash: hashJson([rules, found.against, ...measured]) };
}

interface FoundBaseline {
  readonly named: Pick<GateSnapshot, 'baseline' | 'missingBaseline'>;
  /** What it measured, derived from the evaluation. */
  readonly against: unknown;
}

async function findGateBaseline(
  db: Database,
  { baseline: asked, missingBaseline }: GateRequest,
  { configurations }: SubjectSnapshot,
): Promise<FoundBaseline> {
  if (asked === undefined) return { named: { baseline: null }, against: null };
  if (typeof asked !== 'string') {
    const { configuration: name } = asked;
    const pointer = '/body/gate/baseline/configuration';
    const configuration = configurations.find((each) => each.name === name);
    if (!configuration) refuse(pointer, `the evaluation has no configuration '${name}'`);
    if (configurations.length === 1) refuse(pointer, 'is the only configuration of the evaluation');
    const baseline = { name, evaluation: null, configuration: name };
    return { named: { baseline }, against: { configuration } };
  }
  const stored = await findBaseline(db, asked);
  if (!stored) {
    if (missingBaseline !== 'pass') {
      refuse('/body/gate/baseline', `baseline '${asked}' does not exist`);
    }
    return { named: { baseline: null, missingBaseline: asked }, against: null };
  }
  const { name, evaluation, configuration } = stored;
  const against = {
    contentHash: (await findEvaluation(db, evaluation))?.contentHash,
    configuration: await getConfiguration(db, evaluation, configuration),
  };
  return { named: { baseline: { name, evaluation, configuration } }, against };
}

function parseJudged(name: string): string {
  const measure = parseMeasure(name);
  if (measure?.family === 'judged') return measure.name;
  return refuse('/body/gate/minJudged/measure', `'${name}' is not a judged@k measure`);
}

function refuse(pointer: string, detail: string): never {
  throw new InvalidInputError('Invalid gate', [{ pointer, detail }]);
}
