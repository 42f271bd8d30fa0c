import type { PipelineConfiguration } from './pipeline-configuration.ts';

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

/** How the answer of a search is read. All places but that of the hits start at one hit. */
export interface AnswerRule {
  /** The list of hits, best first. */
  readonly hits: AnswerPlace;
  readonly documentId: AnswerPlace;
  readonly score?: AnswerPlace | undefined;
  readonly chunkId?: AnswerPlace | undefined;
  readonly title?: AnswerPlace | undefined;
  readonly text?: AnswerPlace | undefined;
}

/** Searches with any service that answers in JSON over HTTP. */
export interface HttpConfiguration {
  readonly backend: 'http';
  /** The name of an endpoint that the environment lists. */
  readonly endpoint: string;
  readonly method: 'GET' | 'POST';
  /** Below the URL of the endpoint. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Query parameters; templates. */
  readonly query: Readonly<Record<string, JsonValue>>;
  /** A template of JSON; absent: nothing is sent. */
  readonly body?: JsonValue | undefined;
  readonly answer: AnswerRule;
  /** Hits that one request asks for; absent: as many as the depth. */
  readonly pageSize?: number | undefined;
  /** What a template inserts as `filters`. */
  readonly filters?: JsonValue | undefined;
  /** By user, what a template inserts as `user`. */
  readonly users: Readonly<Record<string, JsonValue>>;
  readonly depth: number;
  readonly pipeline?: PipelineConfiguration | undefined;
}
