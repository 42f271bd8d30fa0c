import { z } from 'zod';

import { verdictModes } from '../evaluation/question-sets/merge-judgments.ts';
import { PlacesAtFault } from './problem.ts';
import { Name } from './vocabulary.ts';

/** How a file of labels is imported. */
export const ImportQuery = z.strictObject({
  judgments: z.enum(verdictModes).default('keep').meta({
    description:
      'keep: judgments posted by judges are kept, and a file that contradicts one is refused with 409. merge: the file wins where grades differ. replace: judgments that the file lacks are dropped.',
  }),
  preview: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'true: stores nothing and returns what would change.' }),
});
export type ImportQuery = z.infer<typeof ImportQuery>;

export const JudgmentCountFields = {
  added: z.int().min(0).meta({ description: 'New judgments.' }),
  changed: z.int().min(0).meta({ description: 'Judgments whose grade changed.' }),
  kept: z.int().min(0).meta({
    description: 'Unchanged judgments of the questions in the file.',
  }),
  dropped: z.int().min(0).meta({ description: 'Removed judgments.' }),
};

/** What an import would do. */
export const ImportPreview = z
  .object({
    name: Name,
    preview: z.literal(true),
    questions: z.int().min(0).meta({ description: 'In the resulting question set.' }),
    judgments: z.int().min(0).meta({ description: 'In the resulting question set.' }),
    ...JudgmentCountFields,
    conflicts: z.object({ total: z.int().min(0), errors: PlacesAtFault }).meta({
      description:
        'Judgments of judges that the file contradicts; if there are any, the file is refused with 409.',
    }),
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
