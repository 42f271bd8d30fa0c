import { z } from 'zod';

import { Name, nonEmptyText } from './vocabulary.ts';

export const PoolInput = z
  .strictObject({
    evaluation: nonEmptyText(64).optional(),
    evaluations: z.array(nonEmptyText(64)).min(1).max(20).optional(),
    depth: z.int().min(1).max(1000).default(10),
    configurations: z.array(Name).min(1).max(20).optional().meta({ description: 'Default: all.' }),
  })
  .superRefine((request, context) => {
    if ((request.evaluation === undefined) !== (request.evaluations === undefined)) return;
    const message = 'a request has either "evaluation" or "evaluations"';
    context.addIssue({ code: 'custom', path: ['evaluation'], message });
  })
  .meta({
    id: 'PoolInput',
    example: { evaluation: '0b6b4d0e-6f3e-4d5c-9a35-0e8b3a5f7c11', depth: 3 },
  });
export type PoolInput = z.infer<typeof PoolInput>;

export const Pool = z
  .object({
    depth: z.int(),
    questionSet: z
      .object({ name: z.string(), version: z.int() })
      .meta({ description: 'The version whose judgments were looked at: the latest.' }),
    unjudged: z.int().meta({ description: 'Pairs of question and document without a judgment.' }),
    coverage: z
      .record(z.string(), z.number().nullable())
      .meta({ description: 'Mean judged@depth by configuration.' }),
    questions: z.array(
      z.object({
        id: z.string(),
        text: z.string(),
        documents: z.array(
          z.object({
            documentId: z.string(),
            title: z.string().nullable(),
            snippet: z.string().nullable(),
            retrievedBy: z.array(
              z.object({
                evaluation: z.string().optional(),
                configuration: z.string(),
                rank: z.int(),
              }),
            ),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'Pool' });
export type Pool = z.infer<typeof Pool>;
