import { listRewrites } from '../../model/pipeline-configuration.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type { TokenCounts } from './calculate-cost.ts';
import type { ScorecardRow, StageUsage } from '../../model/scorecard.ts';

export type TokenSource = Pick<ScorecardRow, 'backend' | 'pipeline'> & {
  readonly usage: Pick<
    ScorecardRow['usage'],
    'searches' | 'pairsReranked' | 'modelCalls' | 'promptTokens' | 'completionTokens'
  >;
};

type TokenUsage = Pick<StageUsage, 'stage' | 'type' | 'promptTokens' | 'completionTokens'>;

/**
 * The tokens of a row by the name of the model. Where a stage does not tell which of two models it asked, they
 * are under the stage's own name, which no price table has.
 */
export function listModelTokens(
  { backend, usage, pipeline }: TokenSource,
  configuration: SearchConfiguration,
): Readonly<Record<string, TokenCounts>> {
  const { promptTokens = 0, completionTokens = 0 } = usage;
  const alone: TokenUsage = { stage: 'search', type: backend, promptTokens, completionTokens };
  const byModel = new Map<string, TokenCounts>();
  for (const used of pipeline?.stages ?? [alone]) {
    const model = findModel(configuration, used) ?? `(${used.stage} ${used.type})`;
    const known = byModel.get(model) ?? { prompt: 0, completion: 0 };
    byModel.set(model, {
      prompt: known.prompt + used.promptTokens,
      completion: known.completion + used.completionTokens,
    });
  }
  return Object.fromEntries(byModel);
}

function findModel(
  configuration: SearchConfiguration,
  { stage, type }: TokenUsage,
): string | undefined {
  if (stage === 'search') return 'model' in configuration ? configuration.model : undefined;
  const { pipeline = {} } = configuration;
  const parts = stage === 'rewrite' ? listRewrites(pipeline) : [pipeline.rerank ?? []].flat();
  const models = parts.flatMap((part) =>
    part.type === type && 'model' in part ? [part.model] : [],
  );
  return new Set(models).size === 1 ? models[0] : undefined;
}
