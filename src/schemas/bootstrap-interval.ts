import { z } from 'zod';

/** Where the mean of all such questions lies. */
export const BootstrapInterval = z.object({
  method: z.literal('bca-bootstrap'),
  confidence: z.number(),
  low: z.number(),
  high: z.number(),
  percentile: z
    .object({ low: z.number(), high: z.number() })
    .meta({ description: 'Uncorrected, of the same resamples.' }),
  resamples: z.int(),
  seed: z.int(),
});
