import { z } from 'zod';

import type { JsonValue } from './http-search.ts';
import type { Immutable } from './immutable.ts';
import { PipelineConfiguration } from './pipeline-configuration.ts';

const Json = z.custom<JsonValue>((value) => value !== undefined);

/** Which columns of the result hold what. */
const SqlColumns = z.object({
  documentId: z.string(),
  score: z.string().optional(),
  chunkId: z.string().optional(),
  text: z.string().optional(),
});
export type SqlColumns = Immutable<z.infer<typeof SqlColumns>>;

/** Searches with one SELECT in a database. */
export const SqlConfiguration = z.object({
  backend: z.literal('sql'),
  /** The name of a database that the environment lists. */
  source: z.string(),
  /** With `:question` and other names of parameters. */
  statement: z.string(),
  columns: SqlColumns,
  /** What `:filters` stands for. */
  filters: Json.optional(),
  /** By user, what `:user` stands for. */
  users: z.record(z.string(), Json),
  depth: z.number(),
  pipeline: PipelineConfiguration.optional(),
});
type Parsed = z.infer<typeof SqlConfiguration>;
/** Not as `Immutable`, which does not end in values of JSON. */
export type SqlConfiguration = Readonly<Omit<Parsed, 'columns' | 'pipeline'>> & {
  readonly columns: SqlColumns;
  readonly pipeline?: PipelineConfiguration | undefined;
};
