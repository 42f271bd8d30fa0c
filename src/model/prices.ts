import { z } from 'zod';

import type { Immutable } from './immutable.ts';

const ModelPrices = z.object({
  per1000PromptTokens: z.number(),
  per1000CompletionTokens: z.number(),
});
export type ModelPrices = Immutable<z.infer<typeof ModelPrices>>;

/** What things cost. What has no price here has an unknown one, which is not 0. */
export const Prices = z.object({
  /** ISO 4217. */
  currency: z.string(),
  perSearch: z.number().optional(),
  perRerankedPair: z.number().optional(),
  /** On top of what the tokens cost. */
  perModelCall: z.number().optional(),
  models: z.record(z.string(), ModelPrices).optional(),
});
export type Prices = Immutable<z.infer<typeof Prices>>;

/** A price table. Versions are immutable, so that a figure can name what it was reckoned with. */
export interface PriceTable {
  readonly version: number;
  readonly contentHash: string;
  readonly createdAt: string;
  readonly prices: Prices;
}
