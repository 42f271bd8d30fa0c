import { z } from 'zod';

const Ends = z.object({ low: z.number(), high: z.number() });

/** Where the mean of all such questions lies. */
export const MeanInterval = z
  .object({
    method: z.enum(['gaffke', 't-and-hall', 'bca-bootstrap']).meta({
      description:
        'How low and high are made. gaffke: of a measure from 0 to 1 (of hits, the interval of Clopper and Pearson); t-and-hall: of differences and of DCG; bca-bootstrap: in scorecards of earlier releases.',
    }),
    confidence: z.number(),
    low: z.number(),
    high: z.number(),
    bca: Ends.optional().meta({ description: 'Absent where it is the headline.' }),
    percentile: Ends.meta({ description: 'Uncorrected, of the same resamples as bca.' }),
    t: Ends.optional().meta({
      description: "Student's. Absent in scorecards of earlier releases.",
    }),
    resamples: z.int(),
    seed: z.int(),
  })
  .meta({ id: 'MeanInterval' });
