import { z } from 'zod';

import { describeJson } from './bounded-json.ts';
import { checkConfiguration } from './check-configuration.ts';
import { ChunkPipeline } from './pipeline.ts';
import { Depth, Name, nonEmptyText } from './vocabulary.ts';

const Column = nonEmptyText(128);

const fields = {
  backend: z.literal('sql'),
  source: Name.meta({
    description: 'A database that the operator of the service lists in SQL_SEARCH_SOURCES.',
  }),
  statement: nonEmptyText(20_000).meta({
    description:
      'One SELECT, best rows first. `:question`, `:depth`, `:filters` and `:user` are parameters, never text.',
    example:
      "select id, ts_rank(words, q) as score from documents, websearch_to_tsquery('english', :question) q where words @@ q order by score desc, id limit :depth",
  }),
  columns: z
    .strictObject({
      documentId: Column,
      score: Column.optional(),
      chunkId: Column.optional(),
      text: Column.optional(),
    })
    .meta({ description: 'The names of the columns of the result.' }),
  filters: describeJson('What `:filters` stands for, as text of JSON.').optional(),
  users: z
    .record(
      nonEmptyText(256),
      describeJson('What `:user` stands for: a text, a number, or text of JSON.'),
    )
    .default({}),
  depth: Depth,
  pipeline: ChunkPipeline.optional(),
};

export const SqlConfiguration = z
  .strictObject(fields)
  .superRefine(checkConfiguration)
  .meta({ title: 'sql' });

/** As SqlConfiguration, with the name it has in one evaluation. */
export const InlineSqlConfiguration = z
  .strictObject({ name: Name, ...fields })
  .superRefine(checkConfiguration)
  .meta({ title: 'sql' });
