import { z } from 'zod';

import { nonEmptyText, Timestamp } from './vocabulary.ts';
import { queryInt } from './query-numbers.ts';

const Price = z.number().min(0).max(1_000_000);

const ModelPrices = z.strictObject({
  per1000PromptTokens: Price,
  per1000CompletionTokens: Price,
});

export const PricesInput = z
  .strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters (ISO 4217)'),
    perSearch: Price.optional(),
    perRerankedPair: Price.optional(),
    perModelCall: Price.optional().meta({ description: 'In addition to the price of the tokens.' }),
    models: z
      .record(nonEmptyText(128), ModelPrices)
      .refine((models) => Object.keys(models).length <= 100, 'must not be more than 100 models')
      .optional(),
  })
  .meta({
    id: 'PricesInput',
    description: 'Items without a price here have an unknown price, not a price of 0.',
    example: {
      currency: 'EUR',
      perSearch: 0.002,
      perRerankedPair: 0.00001,
      perModelCall: 0,
      models: { 'gpt-4.1-mini': { per1000PromptTokens: 0.0004, per1000CompletionTokens: 0.0016 } },
    },
  });

export const PricesQuery = z.strictObject({
  version: queryInt({ least: 1, most: 2_000_000_000 })
    .optional()
    .meta({ description: 'Default: the latest.' }),
});

export const PriceTable = z
  .object({
    version: z.int(),
    contentHash: z.string(),
    createdAt: Timestamp,
    prices: PricesInput,
  })
  .meta({ id: 'PriceTable' });
