import { z } from 'zod';

import { verdictModes } from '../evaluation/question-sets/merge-judgments.ts';
import { PlacesAtFault } from './problem.ts';
import { Name } from './vocabulary.ts';

/** How a file of labels is imported. */
export const ImportQuery = z.strictObject({
  judgments: z.enum(verdictModes).default('keep').meta({
    description:
      'keep: verdicts that judges posted stay, and a file that contradicts one is refused with 409. merge: the file wins where grades differ. replace: verdicts that the file lacks are dropped.',
  }),
  preview: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'true: stores nothing and answers what would change.' }),
});
export type ImportQuery = z.infer<typeof ImportQuery>;

export const JudgmentCountFields = {
  added: z.int().min(0).meta({ description: 'Judgments that were not there before.' }),
  changed: z.int().min(0).meta({ description: 'Judgments with another grade than before.' }),
  kept: z.int().min(0).meta({
    description: 'Judgments of the questions in the file that stay as they are.',
  }),
  dropped: z.int().min(0).meta({ description: 'Judgments that are there no longer.' }),
};

/** What an import would do. */
export const ImportPreview = z
  .object({
    name: Name,
    preview: z.literal(true),
    questions: z.int().min(0).meta({ description: 'Of the set afterwards.' }),
    judgments: z.int().min(0).meta({ description: 'Of the set afterwards.' }),
    ...JudgmentCountFields,
    conflicts: z
      .object({ total: z.int().min(0), errors: PlacesAtFault })
      .meta({ description: 'Verdicts of judges that the file contradicts: with any, 409.' }),
  })
  .meta({
    id: 'ImportPreview',
    example: {
      name: 'sample',
      preview: true,
      questions: 20,
      judgments: 33,
      added: 2,
      changed: 0,
      kept: 31,
      dropped: 0,
      conflicts: { total: 0, errors: [] },
    },
  });
