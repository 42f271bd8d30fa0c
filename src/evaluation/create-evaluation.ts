import { AppError, InvalidInputError, NotFoundError } from '../errors.ts';
import type { SliceDimension, Split } from '../ir/question.ts';
import { sampleIds } from '../ir/sampling.ts';
import { fixPrompts } from '../retrieval/pipeline/prompts.ts';
import type { RetrieverRegistry } from '../retrieval/registry.ts';
import { isOfAiCore, type SearchConfiguration } from '../retrieval/search-configuration.ts';
import { lockCatalog } from '../storage/catalog-lock.ts';
import { findCorpus } from '../storage/corpora.ts';
import type { Database, DatabaseTransaction } from '../storage/database.ts';
import type { EvaluationConfiguration, SearchInput } from '../storage/evaluation-configurations.ts';
import type { EvaluationPlan, IntervalOptions } from '../storage/evaluation-plan.ts';
import { findByIdempotencyKey, insertEvaluation } from '../storage/evaluations.ts';
import { findVersion } from '../storage/question-set-versions.ts';
import { findQuestionSet } from '../storage/question-sets.ts';
import { listQuestionIds } from '../storage/questions.ts';
import { findRun } from '../storage/runs.ts';
import { findSearchConfiguration } from '../storage/search-configurations.ts';
import { fixGate, gateMeasures, type GateRequest } from './fix-gate.ts';
import { hashJson } from './hash-content.ts';
import { planAblations, type AblationPlan } from './plan-ablation.ts';
import { recordEvaluation } from './record-evaluation.ts';
import { resolveMeasures } from './resolve-measures.ts';
import { serviceVersion } from './service-version.ts';

export interface EvaluationRequest {
  readonly questionSet: string | { readonly name: string; readonly version: number };
  /** Names of stored configurations, or configurations with their names. */
  readonly configurations: readonly (string | NamedConfiguration)[];
  readonly measures?: readonly string[] | undefined;
  readonly cutoffs?: readonly number[] | undefined;
  readonly sliceBy: readonly SliceDimension[];
  readonly split?: Split | undefined;
  readonly sample?: { readonly size: number; readonly seed: number } | undefined;
  readonly label?: string | undefined;
  readonly intervals?: boolean | IntervalOptions | undefined;
  readonly bounds?: boolean | undefined;
  readonly diagnose?: boolean | 'deep' | undefined;
  /** Whether each configuration with stages is evaluated without them too. */
  readonly ablate?: boolean | undefined;
  readonly gate?: GateRequest | undefined;
}

export type NamedConfiguration = SearchConfiguration & { readonly name: string };

/**
 * Fixes what will be measured and stores it as queued, before anything is searched. With an idempotency
 * key that was used before, the first request's evaluation is returned and nothing is stored.
 */
export async function createEvaluation(
  db: Database,
  request: EvaluationRequest,
  {
    id,
    now,
    idempotencyKey,
    findObstacle,
  }: {
    readonly id: string;
    readonly now: string;
    readonly idempotencyKey?: string | undefined;
    readonly findObstacle?: RetrieverRegistry['findObstacle'] | undefined;
  },
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const requestHash = hashJson(request);
  const idempotency = idempotencyKey === undefined ? null : { key: idempotencyKey, requestHash };
  const insert = async (trx: DatabaseTransaction) => {
    await lockCatalog(trx, 'shared');
    const earlier = await findEarlier(trx, idempotency);
    if (earlier !== undefined) return { id: earlier, isNew: false };
    const planned = await planEvaluation(trx, request, findObstacle);
    await insertEvaluation(trx, {
      id,
      label: request.label ?? null,
      ...planned,
      total: planned.questions * planned.configurations.length,
      rescoreOf: null,
      createdAt: now,
      idempotency,
    });
    await recordEvaluation(trx, { id, ...planned }, { action: 'create', at: now });
    return { id, isNew: true };
  };
  try {
    return await db.transaction().execute(insert);
  } catch (error) {
    // Two first requests with one key at once: the store lets one in, the other finds it here.
    const earlier = await findEarlier(db, idempotency);
    if (earlier === undefined) throw error;
    return { id: earlier, isNew: false };
  }
}

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
  const named = await findConfigurations(db, request.configurations);
  const { configurations: asked, ablations } = request.ablate
    ? planWithAblations(named)
    : { configurations: named };
  const configurations = await resolveInputs(db, asked);
  refuseUnreachable(configurations, findObstacle);
  const set = { name, version, contentHash };
  const { count, positions } = await selectQuestions(db, set, request);
  const { split, sample, bounds, diagnose, gate } = request;
  const sliceBy = [...new Set(request.sliceBy)];
  const intervals = toIntervalOptions(request.intervals);
  const selection = { sliceBy, split, sample, positions };
  const plan = { measures, ...selection, intervals, bounds, diagnose, ablations, serviceVersion };
  const fixedGate = gate && (await fixGate(db, gate, { set, plan, configurations }));
  return {
    questionSet: name,
    version,
    contentHash,
    plan: { ...plan, gate: fixedGate },
    questions: count,
    configurations,
  };
}

/** Fewer resamples than a comparison's, as there is an interval for each measure and slice. */
export const usualIntervals: IntervalOptions = { confidence: 0.95, resamples: 2000, seed: 1 };

function toIntervalOptions(asked: EvaluationRequest['intervals']): IntervalOptions | undefined {
  if (typeof asked === 'object') return asked;
  return asked === true ? usualIntervals : undefined;
}

/** What is asked for, and what the gate needs, so that the scorecard shows it. */
function listMeasures({ measures, cutoffs, gate }: EvaluationRequest): readonly string[] {
  const chosen = resolveMeasures({ measures, cutoffs }).map(({ name }) => name);
  if (!gate) return chosen;
  const needed = gateMeasures(gate);
  return resolveMeasures({ measures: [...chosen, ...needed] }).map(({ name }) => name);
}

async function findEarlier(
  db: Database,
  idempotency: { readonly key: string; readonly requestHash: string } | null,
): Promise<string | undefined> {
  if (!idempotency) return undefined;
  const earlier = await findByIdempotencyKey(db, idempotency.key);
  if (!earlier) return undefined;
  if (earlier.requestHash === idempotency.requestHash) return earlier.id;
  const message = `The idempotency key was used for another request, whose evaluation is ${earlier.id}`;
  throw new AppError('conflict', message);
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
  if (!latest) throw new NotFoundError('Question set', name);
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
    const detail = `version ${set.version} of question set '${set.name}' has no question of split '${split}'`;
    const errors = [{ pointer: '/body/split', detail }];
    throw new InvalidInputError('There is nothing to evaluate', errors);
  }
  if (!sample) return { count: questions.length, positions: undefined };
  const places = new Map(questions.map(({ id, position }) => [id, position]));
  const sampled = sampleIds([...places.keys()], sample);
  return { count: sampled.length, positions: sampled.flatMap((id) => places.get(id) ?? []) };
}

async function findConfigurations(
  db: Database,
  references: EvaluationRequest['configurations'],
): Promise<readonly NamedConfiguration[]> {
  const named: NamedConfiguration[] = [];
  for (const [position, reference] of references.entries()) {
    const pointer = `/body/configurations/${position}`;
    const configuration = await resolveConfiguration(db, reference, pointer);
    const { name } = configuration;
    if (named.some((other) => other.name === name)) {
      refuse(pointer, `another configuration of this evaluation has the name '${name}'`);
    }
    await resolveInput(db, configuration, pointer);
    named.push(configuration);
  }
  return named;
}

/** The most configurations that an evaluation may have. */
const maxConfigurations = 20;

function planWithAblations(named: readonly NamedConfiguration[]): AblationPlan {
  const planned = planAblations(named);
  const pointer = '/body/ablate';
  if (planned.ablations.length === 0) {
    refuse(pointer, 'no configuration has a pipeline with `rewrite` or `rerank` to leave out');
  }
  const count = planned.configurations.length;
  if (count > maxConfigurations) {
    refuse(pointer, `with their variants these are ${count} configurations; 20 is the most`);
  }
  return planned;
}

async function resolveInputs(
  db: Database,
  named: readonly NamedConfiguration[],
): Promise<readonly EvaluationConfiguration[]> {
  const resolved: EvaluationConfiguration[] = [];
  for (const [position, { name, ...configuration }] of named.entries()) {
    const input = await resolveInput(db, configuration, '/body/configurations');
    const { backend } = configuration;
    const body = JSON.stringify(writeOutPrompts(configuration));
    resolved.push({ position, name, backend, body, input });
  }
  return resolved;
}

/** What an evaluation asks models must not change while it runs, nor go unseen when two are compared. */
function writeOutPrompts(configuration: SearchConfiguration): SearchConfiguration {
  const { pipeline } = configuration;
  return pipeline ? { ...configuration, pipeline: fixPrompts(pipeline) } : configuration;
}

async function resolveConfiguration(
  db: Database,
  reference: string | NamedConfiguration,
  pointer: string,
): Promise<NamedConfiguration> {
  if (typeof reference !== 'string') return reference;
  const stored = await findSearchConfiguration(db, reference);
  if (!stored) return refuse(pointer, `search configuration '${reference}' does not exist`);
  return { ...(JSON.parse(stored.body) as SearchConfiguration), name: stored.name };
}

async function resolveInput(
  db: Database,
  configuration: SearchConfiguration,
  pointer: string,
): Promise<SearchInput | null> {
  if (isOfAiCore(configuration)) return null;
  const kind = configuration.backend === 'run' ? 'run' : 'corpus';
  const name = configuration.backend === 'run' ? configuration.run : configuration.corpus;
  const found = await (kind === 'run' ? findRun(db, name) : findCorpus(db, name));
  if (!found) return refuse(pointer, `${kind} '${name}' does not exist`);
  return { kind, name, contentHash: found.contentHash };
}

/** An evaluation that cannot search anything is better refused now than failed question by question. */
export function refuseUnreachable(
  configurations: readonly EvaluationConfiguration[],
  findObstacle: RetrieverRegistry['findObstacle'],
): void {
  for (const { name, body } of configurations) {
    const obstacle = findObstacle?.(JSON.parse(body) as SearchConfiguration);
    if (obstacle === undefined) continue;
    throw new AppError('conflict', `Configuration '${name}' cannot be searched. ${obstacle}`);
  }
}

function refuse(pointer: string, detail: string): never {
  throw new InvalidInputError('Not every search configuration can be used', [{ pointer, detail }]);
}
