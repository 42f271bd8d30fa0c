import type { Prices } from '../../model/prices.ts';

/** What was used, as a scorecard row counts it. */
export interface PricedUsage {
  readonly searches: number;
  readonly pairsReranked: number;
  readonly modelCalls: number;
  readonly tokens?: Readonly<Record<string, TokenCounts>> | undefined;
}

export interface TokenCounts {
  readonly prompt: number;
  readonly completion: number;
}

export interface ReckonedCost {
  /** In the currency of the prices; null: something that was used has no price. */
  readonly amount: number | null;
  /** What was used and has no price. */
  readonly missingPrices: readonly string[];
}

/** What a usage costs by a price table. One missing price makes the whole unknown, never less. */
export function calculateCost(usage: PricedUsage, prices: Prices): ReckonedCost {
  const items = [
    { name: 'perSearch', count: usage.searches, price: prices.perSearch },
    { name: 'perRerankedPair', count: usage.pairsReranked, price: prices.perRerankedPair },
    { name: 'perModelCall', count: usage.modelCalls, price: prices.perModelCall },
    ...Object.entries(usage.tokens ?? {}).flatMap(([model, counts]) =>
      listTokens(model, counts, prices),
    ),
  ].filter(({ count }) => count > 0);
  const missingPrices = items.flatMap(({ name, price }) => (price === undefined ? [name] : []));
  const amount = items.reduce((sum, { count, price = 0 }) => sum + count * price, 0);
  return { amount: missingPrices.length > 0 ? null : amount, missingPrices };
}

function listTokens(model: string, { prompt, completion }: TokenCounts, { models }: Prices) {
  const price = models && Object.hasOwn(models, model) ? models[model] : undefined;
  const thousand = 1000;
  return [
    {
      name: `models/${model}/per1000PromptTokens`,
      count: prompt / thousand,
      price: price?.per1000PromptTokens,
    },
    {
      name: `models/${model}/per1000CompletionTokens`,
      count: completion / thousand,
      price: price?.per1000CompletionTokens,
    },
  ];
}
