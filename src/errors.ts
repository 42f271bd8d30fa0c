import type { PipelineTrace } from './model/pipeline-trace.ts';

/** Why the service refused or failed. Stable: clients match on it, as the end of a problem's type. */
export type ErrorCode =
  | 'invalid-input'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-allowed'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'precondition-failed'
  | 'not-acceptable'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  | 'too-many-evaluations'
  | 'too-many-questions'
  | 'sign-in-unavailable'
  | 'unavailable'
  | 'retriever-failed'
  | 'retriever-timeout'
  | 'unknown-user'
  | 'not-in-rankings'
  | 'broken-row';

/** One response lists at most this many errors. */
export const maxInputErrors = 100;

/** A place in the input that is wrong. `pointer` is a JSON Pointer; `line` counts from 1 in line-based formats. */
export interface InputError {
  readonly pointer: string;
  readonly line?: number;
  readonly detail: string;
}

/** A failure this service raises on purpose. Anything else that is thrown is a bug and becomes a 500. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Facts a client may act on, such as the id that does not exist. Never a secret. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

export class NotFoundError extends AppError {
  /** `hint` says what would help. */
  constructor(what: string, id: string, hint = '') {
    super('not-found', `${what} '${id}' does not exist${hint === '' ? '' : `; ${hint}`}`);
  }
}

/** Input that is refused, with a pointer to each error. */
export class InvalidInputError extends AppError {
  constructor(message: string, errors: readonly InputError[], cause?: unknown) {
    super('invalid-input', message, { details: { errors }, cause });
  }
}

/** A stored row that cannot be read: it was damaged, or changed outside this service. Names the row, never its content. */
export class BrokenRowError extends AppError {
  constructor(place: { readonly table: string; readonly column: string; readonly row: string }) {
    const { table, column, row } = place;
    const where = `column '${column}' of table '${table}', row '${row}'`;
    const message = `Stored data cannot be read: ${where}. Restore the row from a backup or delete it from the database`;
    super('broken-row', message, { details: { table, column, row } });
  }
}

type SearchErrorCode =
  | 'retriever-failed'
  | 'retriever-timeout'
  | 'unknown-user'
  | 'not-in-rankings';

/** A search that did not answer. `code` says how; the message says it in words a user can act on. */
export class RetrieverError extends AppError {
  declare readonly code: SearchErrorCode;
  /** Calls that were made all the same, and may have to be paid. */
  readonly attempts: number;
  /** What the other side calls the request that failed. */
  readonly requestId: string | undefined;
  /** How far a pipeline came, and what that cost. */
  readonly trace: PipelineTrace | undefined;

  constructor(
    code: SearchErrorCode,
    message: string,
    options: {
      cause?: unknown;
      attempts?: number;
      requestId?: string | undefined;
      trace?: PipelineTrace;
    } = {},
  ) {
    super(code, message, options);
    this.attempts = options.attempts ?? 0;
    this.requestId = options.requestId;
    this.trace = options.trace;
  }

  /** The same failure of a search inside a pipeline, with all that was called before and beside it. */
  withTrace(trace: PipelineTrace, attempts: number): RetrieverError {
    const { code, message, requestId, cause } = this;
    return new RetrieverError(code, message, { cause, attempts, requestId, trace });
  }
}
