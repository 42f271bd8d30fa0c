import { z } from 'zod';

import type { Immutable } from './immutable.ts';
import { PipelineConfiguration } from './pipeline-configuration.ts';

/** A value of JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** The names that a template may give in `{ "$value": … }`. */
export const templateValues = [
  'question',
  'history',
  'depth',
  'size',
  'offset',
  'page',
  'filters',
  'user',
] as const;

export type TemplateValue = (typeof templateValues)[number];

/** Where something stands in an answer: a JSON Pointer, or an expression of JMESPath. */
export type AnswerPlace = string | { readonly jmespath: string };

/** What was read from JSON is a value of JSON. */
const Json = z.custom<JsonValue>((value) => value !== undefined);
const Place = z.union([z.string(), z.object({ jmespath: z.string() })]);

/** How the answer of a search is read. All places but that of the hits start at one hit. */
const AnswerRule = z.object({
  /** The list of hits, best first. */
  hits: Place,
  documentId: Place,
  score: Place.optional(),
  chunkId: Place.optional(),
  title: Place.optional(),
  text: Place.optional(),
});
export type AnswerRule = Immutable<z.infer<typeof AnswerRule>>;

/** Searches with any service that answers in JSON over HTTP. */
export const HttpConfiguration = z.object({
  backend: z.literal('http'),
  /** The name of an endpoint that the environment lists. */
  endpoint: z.string(),
  method: z.enum(['GET', 'POST']),
  /** Below the URL of the endpoint. */
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  /** Query parameters; templates. */
  query: z.record(z.string(), Json),
  /** A template of JSON; absent: nothing is sent. */
  body: Json.optional(),
  answer: AnswerRule,
  /** Hits that one request asks for; absent: as many as the depth. */
  pageSize: z.number().optional(),
  /** What a template inserts as `filters`. */
  filters: Json.optional(),
  /** By user, what a template inserts as `user`. */
  users: z.record(z.string(), Json),
  depth: z.number(),
  pipeline: PipelineConfiguration.optional(),
});
type Parsed = z.infer<typeof HttpConfiguration>;
/** Not as `Immutable`, which does not end in values of JSON. */
export type HttpConfiguration = Readonly<Omit<Parsed, 'answer' | 'pipeline'>> & {
  readonly answer: AnswerRule;
  readonly pipeline?: PipelineConfiguration | undefined;
};
