import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type { PipelineConfiguration } from '../../model/pipeline-configuration.ts';
import type { BackendTraits } from '../backend.ts';
import { fixPrompts } from './prompts.ts';

/**
 * A configuration whose pipeline states in full what it does, so that an evaluation ends as it began and
 * comparisons see a difference: the prompts, and what a lexical re-ranker reads.
 */
export function writeOutPipeline(
  configuration: SearchConfiguration,
  { hasLexicon }: Pick<BackendTraits, 'hasLexicon'>,
): SearchConfiguration {
  const { pipeline } = configuration;
  if (!pipeline) return configuration;
  const readsWhole = hasLexicon && pipeline.rerank?.type === 'lexical';
  const stated = readsWhole ? readDocuments(pipeline) : pipeline;
  return { ...configuration, pipeline: fixPrompts(stated) };
}

function readDocuments({ rerank, ...others }: PipelineConfiguration): PipelineConfiguration {
  return rerank ? { ...others, rerank: { ...rerank, on: rerank.on ?? 'document' } } : others;
}
