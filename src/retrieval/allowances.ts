import type { AllowedAccess, Allowances } from '../model/allowances.ts';
import { listOperations } from '../model/post-processing.ts';
import { listModelStages, toModelAccess } from './pipeline/model-access.ts';
import { isOfAiCore, isPiped, type SearchConfiguration } from '../model/search-configuration.ts';

export const nothingAllowed: Allowances = { access: [], keeper: 'provider' };

/** A part of a configuration that may not be used. */
export interface Refusal {
  /** The keys that lead to it. */
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/** Every part of a configuration that may not be used, each detail once. */
export function listRefusals(
  configuration: SearchConfiguration,
  allowances: Allowances,
): readonly Refusal[] {
  const refusals = listUses(configuration).flatMap((use) => findRefusal(use, allowances) ?? []);
  return refusals.filter(
    ({ detail }, index) => refusals.findIndex((other) => other.detail === detail) === index,
  );
}

/** Whether any search of a configuration calls AI Core. */
export function reachesAiCore(configuration: SearchConfiguration): boolean {
  return listUses(configuration).length > 0;
}

/** Why nothing may be called that way; undefined: something may. */
export function findWayRefusal(way: AiCoreWay, allowances: Allowances): Refusal | undefined {
  return findRefusal({ way, at: [], isOwnGroup: true }, allowances);
}

/** The deployments that may answer with a model; `*`: any. */
export function listAllowedDeployments(
  way: AiCoreWay,
  model: string,
  { access }: Allowances,
): readonly string[] {
  return access
    .filter((entry) => isWay(entry, way) && holds(entry.models, model))
    .flatMap(({ deployments }) => deployments);
}

/** Whether a list names something, or everything. */
export function holds(list: readonly string[], name: string): boolean {
  return list.includes('*') || list.includes(name);
}

/** In a sentence, and who can change it in another. */
export function explainRefusals(
  refusals: readonly Pick<Refusal, 'detail'>[],
  allowances: Allowances,
): string {
  const details = refusals.map(({ detail }) => detail).join('; ');
  return `Not allowed: ${details}. ${adviseOnAllowances(allowances)}`;
}

/** Who can change the list, in a sentence. */
export function adviseOnAllowances({ keeper }: Allowances): string {
  return keeper === 'provider'
    ? 'The provider of this service manages the list: GET /v1/allowances returns it, and operators of the provider can change it'
    : 'AICORE_DESTINATIONS, AICORE_RESOURCE_GROUPS, AICORE_MODELS and AICORE_DEPLOYMENTS define what may be used; the operator of this service can change them';
}

/** One thing that a configuration uses. */
interface Use {
  readonly way: AiCoreWay;
  /** Where the way is written. */
  readonly at: Refusal['path'];
  /** Whether the resource group is written there, and not taken from elsewhere. */
  readonly isOwnGroup: boolean;
  readonly model?: UsedModel | undefined;
}

interface UsedModel {
  /** Undefined: AI Core's default. */
  readonly name: string | undefined;
  readonly path: Refusal['path'];
  /** Whether a deployment of the orchestration service answers. */
  readonly isDeployed: boolean;
}

function listUses(configuration: SearchConfiguration): readonly Use[] {
  if (!isPiped(configuration)) return [];
  const { pipeline = {} } = configuration;
  const stages = listModelStages(pipeline).map(({ stage, path }): Use => ({
    way: toModelAccess(configuration, stage),
    at: path,
    isOwnGroup: stage.resourceGroup !== undefined,
    model: { name: stage.model, path: [...path, 'model'], isDeployed: true },
  }));
  return isOfAiCore(configuration) ? [...listSearchUses(configuration), ...stages] : stages;
}

function listSearchUses(
  configuration: Extract<SearchConfiguration, { readonly resourceGroup: string }>,
): readonly Use[] {
  const { destination, resourceGroup } = configuration;
  const own = { way: { destination, resourceGroup }, at: [], isOwnGroup: true };
  if (configuration.backend === 'orchestration') {
    const model = { name: configuration.model, path: ['model'], isDeployed: true };
    return [{ ...own, model }];
  }
  const models = listOperations(configuration.postProcessing).flatMap(({ operation, path }) => {
    const { type, model: named } = operation.strategy;
    if (type !== 'reranker' && named === undefined) return [];
    const place = ['postProcessing', ...path, 'strategy'];
    const name = named === undefined ? undefined : toModelName(named);
    return { ...own, model: { name, path: [...place, 'model'], isDeployed: false } };
  });
  return [own, ...models];
}

/** What is no name is none that a list can have. */
function toModelName(named: unknown): string {
  return typeof named === 'string' ? named : JSON.stringify(named);
}

function findRefusal(
  { way, at, isOwnGroup, model }: Use,
  { access }: Allowances,
): Refusal | undefined {
  const { destination, resourceGroup } = way;
  const through =
    destination === undefined ? 'the AI Core of this service' : `destination '${destination}'`;
  const byDestination = access.filter((entry) => entry.destination === destination);
  const groupPath = isOwnGroup ? [...at, 'resourceGroup'] : at;
  if (byDestination.length === 0) {
    const path = destination === undefined ? groupPath : [...at, 'destination'];
    return { path, detail: `${through} is not listed` };
  }
  const entries = byDestination.filter((entry) => isWay(entry, way));
  if (entries.length === 0) {
    return {
      path: groupPath,
      detail: `resource group '${resourceGroup}' of ${through} is not listed`,
    };
  }
  return model && findModelRefusal(model, entries, `resource group '${resourceGroup}'`);
}

function findModelRefusal(
  { name, path, isDeployed }: UsedModel,
  entries: readonly AllowedAccess[],
  group: string,
): Refusal | undefined {
  const asking = entries.filter(({ models }) => holds(models, name ?? '*'));
  if (asking.length === 0) {
    const what = name === undefined ? "AI Core's default model" : `model '${name}'`;
    return { path, detail: `${what} in ${group} is not listed` };
  }
  if (!isDeployed || asking.some(({ deployments }) => deployments.length > 0)) return undefined;
  return { path, detail: `no deployment that answers with model '${name}' in ${group} is listed` };
}

function isWay({ destination, resourceGroups }: AllowedAccess, way: AiCoreWay): boolean {
  return destination === way.destination && holds(resourceGroups, way.resourceGroup);
}

/** Where calls go: the resource group, by way of a destination or of the service key. */
export interface AiCoreWay {
  readonly resourceGroup: string;
  readonly destination?: string | undefined;
}
