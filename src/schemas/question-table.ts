import { z } from 'zod';

import { rowKinds, rowOrders } from '../evaluation/scoring/select-rows.ts';
import { queryIntOr } from './query-numbers.ts';
import { nonEmptyText, text } from './vocabulary.ts';

const attribute = nonEmptyText(128).optional();

/** What selects and sorts the rows of the table of questions. */
export const TableQuery = {
  measure: text(64).optional().meta({
    description:
      'Rows are sorted and compared by it. Default: the first measure of the evaluation.',
  }),
  sort: z.enum(rowOrders).optional().meta({
    description:
      'worst: the lowest value of any configuration first; difference: the largest difference between configurations first; ascending, descending: by the value of the configuration in `by`. Default: position, the order of the question set.',
  }),
  by: text(64).optional().meta({ description: 'A configuration, for ascending and descending.' }),
  only: z.enum(rowKinds).optional().meta({
    description:
      'failed, leaks, unjudged (in the top k): in any configuration; differs: the values of the configurations differ; nothing-found: some configuration found no relevant document.',
  }),
  k: queryIntOr(10, { least: 1, most: 1000 }).meta({
    description: 'The depth up to which unjudged documents are counted.',
  }),
  q: nonEmptyText(500).optional().meta({ description: 'Part of the id or the text.' }),
  kind: attribute,
  process: attribute,
  language: attribute,
  user: attribute,
  split: attribute,
  tags: attribute.meta({ description: 'One of the tags.' }),
};

const statuses = ['scored', 'empty', 'failed', 'unanswerable', 'unlabelled'] as const;

const QuestionCell = z
  .object({
    status: z.enum(statuses),
    measures: z.record(z.string(), z.number()).meta({
      description: 'Empty if the question is excluded from the means.',
    }),
    firstRelevantRank: z
      .int()
      .nullable()
      .meta({ description: 'Starts at 1; null: no relevant document was found.' }),
    leaks: z.int().meta({ description: 'Forbidden documents that were returned.' }),
    unjudged: z.int().meta({ description: 'Documents of the top k without a judgment.' }),
  })
  .meta({ id: 'QuestionCell' });

const QuestionRow = z
  .object({
    id: z.string(),
    text: z.string(),
    kind: z.string().optional(),
    process: z.string().optional(),
    language: z.string().optional(),
    user: z.string().optional(),
    split: z.string().optional(),
    tags: z.array(z.string()).readonly(),
    answerable: z.boolean(),
    configurations: z.record(z.string(), QuestionCell).meta({
      description: 'By configuration, without those that have not searched the question yet.',
    }),
  })
  .meta({ id: 'QuestionRow' });

/** The questions of an evaluation with all configurations side by side. */
export const QuestionTable = z
  .object({
    measure: z.string().meta({ description: 'The measure that rows were sorted and compared by.' }),
    configurations: z.array(z.string()),
    total: z.int().meta({ description: 'Selected questions on all pages.' }),
    items: z.array(QuestionRow),
    nextCursor: z.string().nullable().meta({ description: 'null: this is the last page.' }),
  })
  .meta({ id: 'QuestionTable' });
