import { z } from 'zod';

import { queryIntOr } from './query-numbers.ts';
import { Name } from './vocabulary.ts';

export const TopDocumentsQuery = z.strictObject({
  configuration: Name,
  k: queryIntOr(10, { least: 1, most: 1000 }).meta({ description: 'The depth of `inTop`.' }),
  limit: queryIntOr(20, { least: 1, most: 1000 }),
});

export const TopDocuments = z
  .object({
    configuration: z.string(),
    k: z.int(),
    questions: z.int().meta({ description: 'Questions for which anything was found.' }),
    firstDocuments: z
      .int()
      .meta({ description: 'Number of different documents that come first for some question.' }),
    items: z.array(
      z.object({
        documentId: z.string(),
        first: z.int().meta({ description: 'Questions for which it comes first.' }),
        firstRelevant: z.int().meta({ description: 'Of these, those it is relevant to.' }),
        firstUnjudged: z.int().meta({ description: 'Of these, those without a judgment of it.' }),
        inTop: z.int().meta({ description: 'Questions that have it in the top k.' }),
      }),
    ),
  })
  .meta({ id: 'TopDocuments' });
export type TopDocuments = z.infer<typeof TopDocuments>;
