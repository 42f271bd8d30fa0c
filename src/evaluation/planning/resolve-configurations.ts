import { AppError, InvalidInputError } from '../../errors.ts';
import { writeOutPipeline } from '../../retrieval/pipeline/write-out-pipeline.ts';
import {
  describeConfiguration,
  type RetrieverRegistry,
  traitsOf,
} from '../../retrieval/registry.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import { findCorpus } from '../../storage/catalog/corpora.ts';
import type { Database } from '../../storage/database/database.ts';
import type {
  EvaluationConfiguration,
  SearchInput,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { PlannedAblation } from '../../model/evaluation-plan.ts';
import { findRun } from '../../storage/catalog/runs.ts';
import {
  findSearchConfiguration,
  readSearchConfiguration,
} from '../../storage/catalog/search-configurations.ts';
import { refuseDisallowed, refuseDisallowedReferences } from '../catalog/check-allowances.ts';
import type { EvaluationRequest, NamedConfiguration } from '../../model/evaluation-request.ts';
import { planAblations, type AblationPlan } from './plan-ablation.ts';

export interface ResolvedConfigurations {
  readonly configurations: readonly EvaluationConfiguration[];
  readonly ablations?: readonly PlannedAblation[] | undefined;
}

/**
 * What a request's configurations are in full, with what they search; with `ablate`, their variants too, which use
 * nothing that these do not. Throws `not-allowed` where the tenant may not use it.
 */
export async function resolveConfigurations(
  db: Database,
  { configurations, ablate }: EvaluationRequest,
): Promise<ResolvedConfigurations> {
  const named = await findConfigurations(db, configurations);
  await refuseDisallowedReferences(db, configurations, '/body/configurations');
  const planned = ablate ? planWithAblations(named) : { configurations: named };
  return { ...planned, configurations: await resolveInputs(db, planned.configurations) };
}

/** One configuration in full. Throws `not-allowed` where the tenant may not use it. */
export async function resolveOne(
  db: Database,
  reference: string | NamedConfiguration,
  pointer: string,
): Promise<EvaluationConfiguration> {
  const named = await resolveConfiguration(db, reference, pointer);
  const storedAs = typeof reference === 'string' ? reference : undefined;
  await refuseDisallowed(db, [{ configuration: named, pointer, storedAs }]);
  return writeOut(db, named, { position: 0, pointer });
}

/** An evaluation that cannot search anything is better refused now than failed question by question. */
export function refuseUnreachable(
  configurations: readonly EvaluationConfiguration[],
  findObstacle: RetrieverRegistry['findObstacle'],
): void {
  for (const { name, configuration } of configurations) {
    const obstacle = findObstacle?.(configuration);
    if (obstacle === undefined) continue;
    throw new AppError('conflict', `Configuration '${name}' cannot be searched. ${obstacle}`);
  }
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
      refuse(pointer, `duplicate configuration name '${name}'`);
    }
    await resolveInput(db, configuration, pointer);
    named.push(configuration);
  }
  return named;
}

async function resolveConfiguration(
  db: Database,
  reference: string | NamedConfiguration,
  pointer: string,
): Promise<NamedConfiguration> {
  if (typeof reference !== 'string') return reference;
  const stored = await findSearchConfiguration(db, reference);
  if (!stored) {
    const hint = await suggestConfiguration(db, reference);
    return refuse(pointer, `search configuration '${reference}' does not exist${hint}`);
  }
  return { ...readSearchConfiguration(stored), name: stored.name };
}

/** A run or a corpus of that name is no configuration yet. */
async function suggestConfiguration(db: Database, name: string): Promise<string> {
  const fields = (await findRun(db, name))
    ? { backend: 'run', run: name }
    : (await findCorpus(db, name)) && { backend: 'local', corpus: name, method: 'bm25' };
  if (!fields) return '; GET /v1/search-configurations lists those that do';
  const kind = 'run' in fields ? 'run' : 'corpus';
  return `, but a ${kind} of that name does: write ${JSON.stringify({ name, ...fields })}`;
}

async function resolveInput(
  db: Database,
  configuration: SearchConfiguration,
  pointer: string,
): Promise<SearchInput | null> {
  const { input } = describeConfiguration(configuration);
  if (!input) return null;
  const { kind, name } = input;
  const found = await (kind === 'run' ? findRun(db, name) : findCorpus(db, name));
  if (!found) return refuse(pointer, `${kind} '${name}' does not exist`);
  return { kind, name, contentHash: found.contentHash };
}

/** The most configurations that an evaluation may have. */
const maxConfigurations = 20;

function planWithAblations(named: readonly NamedConfiguration[]): AblationPlan {
  const planned = planAblations(named);
  const pointer = '/body/ablate';
  if (planned.ablations.length === 0) {
    refuse(pointer, 'no configuration has a pipeline with `rewrite` or `rerank` to switch off');
  }
  const count = planned.configurations.length;
  if (count > maxConfigurations) {
    const most = `at most ${maxConfigurations} are allowed`;
    refuse(pointer, `with their variants these are ${count} configurations; ${most}`);
  }
  return planned;
}

async function resolveInputs(
  db: Database,
  named: readonly NamedConfiguration[],
): Promise<readonly EvaluationConfiguration[]> {
  const resolved: EvaluationConfiguration[] = [];
  for (const [position, configuration] of named.entries()) {
    resolved.push(await writeOut(db, configuration, { position, pointer: '/body/configurations' }));
  }
  return resolved;
}

async function writeOut(
  db: Database,
  { name, ...asked }: NamedConfiguration,
  { position, pointer }: { readonly position: number; readonly pointer: string },
): Promise<EvaluationConfiguration> {
  const input = await resolveInput(db, asked, pointer);
  const { backend } = asked;
  const configuration = writeOutPipeline(asked, traitsOf(backend));
  const body = JSON.stringify(configuration);
  return { position, name, backend, configuration, body, input };
}

function refuse(pointer: string, detail: string): never {
  throw new InvalidInputError('Invalid search configurations', [{ pointer, detail }]);
}
