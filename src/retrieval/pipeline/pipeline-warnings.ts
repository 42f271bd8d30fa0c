import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type { BackendTraits } from '../backend.ts';
import { listRewrites, type PipelineConfiguration } from '../../model/pipeline-configuration.ts';
import type { WarningText } from '../../model/warnings.ts';

/** What a backend gives the stages. */
type Given = Pick<BackendTraits, 'hasScores' | 'hasLexicon'>;

/** What a pipeline is allowed to say and will not do. */
export function listPipelineWarnings(
  { pipeline }: Pick<SearchConfiguration, 'pipeline'>,
  traits: Given,
): readonly WarningText[] {
  if (!pipeline) return [];
  return [...findIdleParts(pipeline), ...findEmptyHands(traits, pipeline)].map((message) => ({
    code: 'pointless-stage' as const,
    message,
  }));
}

function findIdleParts(pipeline: PipelineConfiguration): readonly string[] {
  const { fusion, candidates, rerank, versionTimeoutMs } = pipeline;
  const isRewritten = listRewrites(pipeline).length > 0;
  // One that says nothing promises nothing: the plain variant of an ablation.
  if (Object.values(pipeline).every((part) => part === undefined)) return [];
  if (!isRewritten && !rerank) {
    return ['The pipeline neither rewrites nor re-ranks, so it has no effect'];
  }
  const idle: string[] = [];
  if (!isRewritten && fusion) {
    idle.push(
      'Without "rewrite" there is only one version of a question, so "fusion" has no effect',
    );
  }
  if (!isRewritten && versionTimeoutMs !== undefined) {
    idle.push(
      'Without "rewrite" there is only one version of a question, so "versionTimeoutMs" has no effect',
    );
  }
  if (!rerank && candidates !== undefined) {
    idle.push('Without "rerank", "candidates" has no effect');
  }
  if (rerank && candidates === 1 && !('minScore' in rerank && rerank.minScore !== undefined)) {
    idle.push('With a single candidate and without "minScore", re-ranking has no effect');
  }
  return idle;
}

/** Stages whose backend does not give them what they work on. */
function findEmptyHands(
  { hasScores, hasLexicon }: Given,
  { fusion, rerank }: PipelineConfiguration,
): readonly string[] {
  const found: string[] = [];
  if (!hasScores && fusion?.type === 'scores') {
    found.push(
      'The grounding module returns no scores: "fusion" by scores always falls back to ranks',
    );
  }
  if (!hasLexicon && rerank?.type === 'lexical') {
    found.push('Only a corpus has a lexicon: the lexical re-ranker compares shared words only');
  }
  return found;
}
