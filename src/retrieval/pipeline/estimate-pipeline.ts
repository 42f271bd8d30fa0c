import { slideWindows } from '../../ir/reranking/sliding-windows.ts';
import { listRewrites, type PipelineConfiguration } from '../../model/pipeline-configuration.ts';
import { defaultCandidates } from './rerank-candidates.ts';

/** What a pipeline does for one question, at most. */
export interface PipelineEstimate {
  readonly searches: number;
  readonly modelCalls: number;
}

/** Without retries. A question without a conversation is not completed, so that costs nothing. */
export function estimatePipeline(
  pipeline: PipelineConfiguration,
  { hasHistory }: { readonly hasHistory: boolean },
): PipelineEstimate {
  const rewrites = listRewrites(pipeline).filter(({ type }) => hasHistory || type !== 'followUp');
  const versions = rewrites.map((rewrite) => (rewrite.type === 'llm' ? rewrite.versions : 1));
  const asking = rewrites.filter(({ type }) => type !== 'glossary').length;
  const { rerank, candidates = defaultCandidates } = pipeline;
  const windows = rerank?.type === 'llm' ? slideWindows(candidates, rerank).length : 0;
  return {
    searches: versions.reduce((sum, count) => sum + count, 1),
    modelCalls: asking + windows,
  };
}
