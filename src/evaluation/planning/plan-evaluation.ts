import { InvalidInputError, NotFoundError } from '../../errors.ts';
import { sampleIds } from '../../ir/sampling.ts';
import type { RetrieverRegistry } from '../../retrieval/registry.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import {
  type EvaluationPlan,
  type IntervalOptions,
  defaultIntervals,
} from '../../model/evaluation-plan.ts';
import { findVersion } from '../../storage/question-sets/question-set-versions.ts';
import { findQuestionSet } from '../../storage/question-sets/question-sets.ts';
import { listQuestionIds } from '../../storage/question-sets/questions.ts';
import { usualAverage } from '../../model/average-rule.ts';
import type { EvaluationRequest } from '../../model/evaluation-request.ts';
import { freezeGate, gateMeasures } from './freeze-gate.ts';
import { refuseTooManySlices } from './limit-slices.ts';
import { refuseUnreachable, resolveConfigurations } from './resolve-configurations.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import { serviceVersion } from '../../model/service-version.ts';

/** What an evaluation would measure: everything that is checked before it is stored. */
export interface PlannedEvaluation {
  readonly questionSet: string;
  readonly version: number;
  readonly contentHash: string;
  readonly plan: EvaluationPlan;
  /** How many are asked of each configuration. */
  readonly questions: number;
  readonly configurations: readonly EvaluationConfiguration[];
}

/** Looks up and checks all that a request names, and stores nothing. */
export async function planEvaluation(
  db: Database,
  request: EvaluationRequest,
  findObstacle: RetrieverRegistry['findObstacle'],
): Promise<PlannedEvaluation> {
  const measures = listMeasures(request);
  const { name, version, contentHash } = await resolveQuestionSet(db, request.questionSet);
  const { configurations, ablations } = await resolveConfigurations(db, request);
  refuseUnreachable(configurations, findObstacle);
  const set = { name, version, contentHash };
  const { count, positions } = await selectQuestions(db, set, request);
  const { average = usualAverage, split, sample, bounds, diagnose, gate } = request;
  const sliceBy = [...new Set(request.sliceBy)];
  const intervals = toIntervalOptions(request.intervals);
  const selection = { sliceBy, split, sample, positions };
  const shown = { intervals, bounds, diagnose, ablations };
  const plan = { measures, average, ...selection, ...shown, serviceVersion };
  const size = { questions: count, configurations: configurations.length };
  await refuseTooManySlices(db, { questionSet: name, version, plan }, size);
  const fixedGate = gate && (await freezeGate(db, gate, { set, plan, configurations }));
  return {
    questionSet: name,
    version,
    contentHash,
    plan: { ...plan, gate: fixedGate },
    questions: count,
    configurations,
  };
}

function toIntervalOptions(asked: EvaluationRequest['intervals']): IntervalOptions | undefined {
  if (typeof asked === 'object') return asked;
  return asked === true ? defaultIntervals : undefined;
}

/** What is asked for, and what the gate needs, so that the scorecard shows it. */
function listMeasures({ measures, cutoffs, gate }: EvaluationRequest): readonly string[] {
  const chosen = resolveMeasures({ measures, cutoffs }).map(({ name }) => name);
  if (!gate) return chosen;
  const needed = gateMeasures(gate);
  return resolveMeasures({ measures: [...chosen, ...needed] }).map(({ name }) => name);
}

interface SelectedSet {
  readonly name: string;
  readonly version: number;
  readonly contentHash: string;
}

async function resolveQuestionSet(
  db: Database,
  reference: EvaluationRequest['questionSet'],
): Promise<SelectedSet> {
  const name = typeof reference === 'string' ? reference : reference.name;
  const latest = await findQuestionSet(db, name);
  if (!latest) {
    throw new NotFoundError('Question set', name, 'GET /v1/question-sets lists those that do');
  }
  if (typeof reference === 'string') return latest;
  const version = await findVersion(db, name, reference.version);
  if (!version) throw new NotFoundError('Question set', `${name}' version '${reference.version}`);
  return { name, ...version };
}

async function selectQuestions(
  db: Database,
  set: SelectedSet,
  { split, sample }: EvaluationRequest,
): Promise<{ readonly count: number; readonly positions: readonly number[] | undefined }> {
  const selection = { questionSet: set.name, version: set.version, split };
  const questions = await listQuestionIds(db, selection);
  if (questions.length === 0) {
    const detail = `version ${set.version} of question set '${set.name}' has no questions in split '${split}'`;
    const errors = [{ pointer: '/body/split', detail }];
    throw new InvalidInputError('There are no questions to evaluate', errors);
  }
  if (!sample) return { count: questions.length, positions: undefined };
  const places = new Map(questions.map(({ id, position }) => [id, position]));
  const sampled = sampleIds([...places.keys()], sample);
  return { count: sampled.length, positions: sampled.flatMap((id) => places.get(id) ?? []) };
}
