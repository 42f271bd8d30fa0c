import { isPiped, type SearchConfiguration } from '../../model/search-configuration.ts';
import type { Retriever } from '../retriever.ts';
import { createPipelineStages, type PipelineTools } from './create-pipeline.ts';
import { createPipelineRetriever } from './pipeline-retriever.ts';

/** The retriever with the stages of its configuration's pipeline around it. */
export function addPipeline(
  retriever: Retriever,
  configuration: SearchConfiguration,
  tools: PipelineTools,
): Retriever {
  if (!isPiped(configuration) || !configuration.pipeline) return retriever;
  const stages = createPipelineStages(configuration, configuration.pipeline, tools);
  return createPipelineRetriever(retriever, stages);
}
