import type { ModelAccess } from '../chat-model.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import {
  listRewrites,
  type ModelStage,
  type PipelineConfiguration,
} from '../../model/pipeline-configuration.ts';

/** A stage that asks a language model. */
export interface PlacedModelStage {
  readonly stage: ModelStage;
  /** The keys that lead to it from the configuration. */
  readonly path: readonly (string | number)[];
}

/** Every stage of a pipeline that asks a language model. */
export function listModelStages(pipeline: PipelineConfiguration): readonly PlacedModelStage[] {
  const isList = Array.isArray(pipeline.rewrite);
  const rewrites = listRewrites(pipeline).map((stage, index) => ({
    stage,
    path: ['pipeline', 'rewrite', ...(isList ? [index] : [])],
  }));
  const reranks = [pipeline.rerank ?? []]
    .flat()
    .map((stage) => ({ stage, path: ['pipeline', 'rerank'] }));
  return [...rewrites, ...reranks].flatMap(({ stage, path }) =>
    stage.type === 'glossary' || stage.type === 'lexical' || stage.type === 'crossEncoder'
      ? []
      : [{ stage, path }],
  );
}

/** A stage calls its model where it says, else where its backend searches. */
export function toModelAccess(configuration: SearchConfiguration, stage: ModelStage): ModelAccess {
  const own = 'resourceGroup' in configuration ? configuration : undefined;
  return {
    resourceGroup: stage.resourceGroup ?? own?.resourceGroup ?? 'default',
    destination: stage.destination ?? own?.destination,
  };
}
