import { z } from 'zod';

import { Bounds, Decision } from './bounds.ts';
import { Name, nonEmptyText } from './vocabulary.ts';

export const PoolInput = z
  .strictObject({
    evaluation: nonEmptyText(64).optional(),
    evaluations: z.array(nonEmptyText(64)).min(1).max(20).optional(),
    depth: z.int().min(1).max(1000).default(10),
    configurations: z.array(Name).min(1).max(20).optional().meta({ description: 'Default: all.' }),
    order: z.enum(['rank', 'impact']).default('rank').meta({
      description:
        'impact: the documents that can change the difference of the pair most come first.',
    }),
    pair: z
      .tuple([Name, Name])
      .optional()
      .meta({ description: 'Baseline and candidate, for the order by impact.' }),
    measure: z.string().max(64).optional(),
    bias: z.boolean().optional().meta({
      description:
        'Also computes how much the score of each configuration drops without the judgments that only it contributed.',
    }),
  })
  .superRefine((request, context) => {
    const refuse = (field: keyof typeof request, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if ((request.evaluation === undefined) === (request.evaluations === undefined)) {
      refuse('evaluation', 'a request has either "evaluation" or "evaluations"');
    }
    const isByImpact = request.order === 'impact';
    if (isByImpact && request.configurations) refuse('configurations', 'the pair says it');
    if (isByImpact !== (request.pair !== undefined)) {
      refuse('pair', 'goes with "order": "impact", and is needed for it');
    }
    if (request.pair && request.pair[0] === request.pair[1]) refuse('pair', 'is of two');
    if ((isByImpact || request.bias === true) !== (request.measure !== undefined)) {
      refuse('measure', 'goes with "order": "impact" or "bias", and is needed for them');
    }
  })
  .meta({
    id: 'PoolInput',
    example: { evaluation: '0b6b4d0e-6f3e-4d5c-9a35-0e8b3a5f7c11', depth: 3 },
  });
export type PoolInput = z.infer<typeof PoolInput>;

export const PoolQuery = z.strictObject({
  separator: z.enum(['comma', 'semicolon']).optional().meta({
    description:
      'Goes with CSV. Spreadsheets of languages with a decimal comma expect semicolons. Default: comma.',
  }),
  bom: z.enum(['true', 'false']).optional().meta({
    description:
      'Goes with CSV: starts it with a byte order mark, without which Excel misreads letters such as ä. Default: false.',
  }),
});
export type PoolQuery = z.infer<typeof PoolQuery>;

export const Pool = z
  .object({
    depth: z.int(),
    questionSet: z
      .object({ name: z.string(), version: z.int() })
      .meta({ description: 'The version whose judgments were used: the latest.' }),
    unjudged: z.int().meta({ description: 'Pairs of question and document without a judgment.' }),
    unlabelled: z.int().optional().meta({
      description:
        'Questions without any judgment; absent: none. They come first and do not count towards the coverage.',
    }),
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
            impact: z.number().optional().meta({
              description: 'The range of mean differences that this label can cause.',
            }),
            order: z.int().optional().meta({
              description:
                'Its place among all missing labels of the pair, including those below the depth.',
            }),
          }),
        ),
      }),
    ),
    impact: z
      .object({
        measure: z.string(),
        baseline: z.string(),
        candidate: z.string(),
        labels: z
          .int()
          .meta({ description: 'Missing labels, including those below the depth of the pool.' }),
        labelsLeft: z
          .object({ ifNotRelevant: z.int(), atBest: z.int() })
          .meta({ description: 'How many labels, in this order, decide the sign.' }),
        bounds: Bounds,
        decision: Decision,
        highestGrade: z.int(),
      })
      .optional(),
    bias: z
      .array(
        z.object({
          evaluation: z.string().optional(),
          configuration: z.string(),
          name: z.string().meta({
            description:
              'The configuration, with the label or time of its evaluation where several have this name.',
            example: 'search of 3 May 2026',
          }),
          questions: z.int(),
          uniqueDocuments: z.int().meta({
            description:
              'Documents, judged or not, that only this configuration has in its top `depth`.',
          }),
          uniqueQuestions: z.int().meta({ description: 'Questions with such a document.' }),
          uniqueJudged: z.int(),
          uniqueRelevant: z.int(),
          mean: z.number(),
          meanWithout: z.number(),
          scoreDrop: z.number().meta({ description: 'mean minus meanWithout.' }),
          fall: z.number().meta({ description: 'Use `scoreDrop`.', deprecated: true }),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Pool' });
