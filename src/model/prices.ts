/** What things cost. What has no price here has an unknown one, which is not 0. */
export interface Prices {
  /** ISO 4217. */
  readonly currency: string;
  readonly perSearch?: number | undefined;
  readonly perRerankedPair?: number | undefined;
  /** On top of what the tokens cost. */
  readonly perModelCall?: number | undefined;
  readonly models?: Readonly<Record<string, ModelPrices>> | undefined;
}

export interface ModelPrices {
  readonly per1000PromptTokens: number;
  readonly per1000CompletionTokens: number;
}

/** A price table. Versions are immutable, so that a figure can name what it was reckoned with. */
export interface PriceTable {
  readonly version: number;
  readonly contentHash: string;
  readonly createdAt: string;
  readonly prices: Prices;
}
