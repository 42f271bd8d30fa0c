import { z } from 'zod';

const Ends = z.object({ low: z.number(), high: z.number() });

/** Confidence interval of the mean over all such questions. */
export const MeanInterval = z
  .object({
    method: z.enum(['gaffke', 't-and-hall', 'bca-bootstrap']).meta({
      description:
        'The method of low and high. gaffke: for a measure from 0 to 1 (for hits, the interval of Clopper and Pearson); t-and-hall: for differences and DCG; bca-bootstrap: in scorecards of earlier releases.',
    }),
    confidence: z.number(),
    low: z.number(),
    high: z.number(),
    bca: Ends.optional().meta({ description: 'Absent if it is the main interval.' }),
    percentile: Ends.meta({ description: 'Uncorrected, from the same resamples as bca.' }),
    t: Ends.optional().meta({
      description: "Student's. Absent in scorecards of earlier releases.",
    }),
    resamples: z.int(),
    seed: z.int(),
  })
  .meta({ id: 'MeanInterval' });
