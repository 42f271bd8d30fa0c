import { traitsOf } from '../../retrieval/registry.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { streamOutcomes } from '../outcomes/stream-outcomes.ts';
import { summarizeLatencies } from '../scoring/latency.ts';
import { listModelTokens, type TokenSource } from './model-tokens.ts';
import { createPipelineUsage } from '../scoring/pipeline-usage.ts';
import { calculateCost } from './calculate-cost.ts';
import type { PriceTable } from '../../model/prices.ts';

/** What a configuration took, for one question. Null: unknown, which is not nothing. */
export interface RowCosts {
  readonly latencyP95Ms: number | null;
  /** Searches and model calls. */
  readonly callsPerQuestion: number | null;
  /** In the currency of the prices. */
  readonly costPerQuestion: number | null;
  /** What was used and has no price. */
  readonly missingPrices: readonly string[];
}

/** What a configuration used for some questions. */
export interface CommonUsage extends TokenSource {
  readonly questions: number;
  readonly latencyP95Ms: number | null;
}

const unknownCosts: RowCosts = {
  latencyP95Ms: null,
  callsPerQuestion: null,
  costPerQuestion: null,
  missingPrices: [],
};

/**
 * What a configuration used for the questions that all configurations have in their means: quality and cost
 * are then of the same questions, and a failed search, which costs less, is no advantage. Undefined where
 * nothing was searched here: rankings that were brought in, or scored again.
 */
export async function readCommonUsage(
  db: Database,
  evaluation: StoredEvaluation,
  { backend, position }: EvaluationConfiguration,
  common: ReadonlySet<string>,
): Promise<CommonUsage | undefined> {
  const isSearched = traitsOf(backend).isSearched && evaluation.rescoreOf === null;
  if (!isSearched || common.size === 0) return undefined;
  const usage = {
    searches: 0,
    pairsReranked: 0,
    modelCalls: 0,
    promptTokens: 0,
    completionTokens: 0,
  };
  const pipeline = createPipelineUsage();
  const latencies: number[] = [];
  for await (const { question, outcome } of streamOutcomes(db, evaluation, position)) {
    if (!outcome || !common.has(question.id)) continue;
    usage.searches += outcome.searches;
    usage.pairsReranked += outcome.pairsReranked;
    usage.modelCalls += outcome.modelCalls;
    usage.promptTokens += outcome.promptTokens;
    usage.completionTokens += outcome.completionTokens;
    pipeline.add(outcome);
    latencies.push(outcome.latencyMs);
  }
  return {
    backend,
    questions: latencies.length,
    usage,
    pipeline: pipeline.toUsage(),
    latencyP95Ms: summarizeLatencies(latencies)?.p95 ?? null,
  };
}

/** The costs of one question on average, by a price table where there is one. */
export function findRowCosts(
  used: CommonUsage | undefined,
  { configuration }: Pick<EvaluationConfiguration, 'configuration'>,
  table: PriceTable | undefined,
): RowCosts {
  if (!used || used.questions === 0) return unknownCosts;
  const { questions, usage, latencyP95Ms } = used;
  const tokens = listModelTokens(used, configuration);
  const { amount, missingPrices } = table
    ? calculateCost({ ...usage, tokens }, table.prices)
    : { amount: null, missingPrices: [] };
  return {
    latencyP95Ms,
    callsPerQuestion: (usage.searches + usage.modelCalls) / questions,
    costPerQuestion: amount === null ? null : amount / questions,
    missingPrices,
  };
}
