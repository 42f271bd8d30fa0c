import type { SearchConfiguration } from '../retrieval/search-configuration.ts';
import type { EvaluationConfiguration } from '../storage/evaluation-configurations.ts';
import type { StoredEvaluation } from '../storage/evaluations.ts';
import type { PriceTable } from '../storage/prices.ts';
import { listModelTokens } from './model-tokens.ts';
import { reckonCost } from './reckon-cost.ts';
import { countAsked, type ScorecardRow } from './scorecard.ts';

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

/** What was brought in, or scored again, was not searched here: nobody knows what it took. */
export function findRowCosts(
  row: ScorecardRow,
  { rescoreOf }: StoredEvaluation,
  {
    configuration,
    table,
  }: { readonly configuration: EvaluationConfiguration; readonly table: PriceTable | undefined },
): RowCosts {
  const { backend, usage, latencyMs } = row;
  const latencyP95Ms = latencyMs?.p95 ?? null;
  const asked = countAsked(row);
  if (backend === 'run' || rescoreOf !== null || asked === 0) {
    return { latencyP95Ms, callsPerQuestion: null, costPerQuestion: null, missingPrices: [] };
  }
  const searched = JSON.parse(configuration.body) as SearchConfiguration;
  const tokens = listModelTokens(row, searched);
  const { amount, missingPrices } = table
    ? reckonCost({ ...usage, tokens }, table.prices)
    : { amount: null, missingPrices: [] };
  return {
    latencyP95Ms,
    callsPerQuestion: (usage.searches + usage.modelCalls) / asked,
    costPerQuestion: amount === null ? null : amount / asked,
    missingPrices,
  };
}
