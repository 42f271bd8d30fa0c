import { RetrieverError } from '../errors.ts';

/**
 * What kept a search from its answer.
 * `network`: no answer, or one cut short. `timeout`: none in time. `status`: it was answered with an error.
 * `token`: no token to search with. `destination`: the destination cannot be used. `answer`: a success that
 * is no answer. `filter`: a part of the search failed inside a success. `stopped`: not sent any more.
 */
export type FailureKind =
  | 'network'
  | 'timeout'
  | 'status'
  | 'token'
  | 'destination'
  | 'answer'
  | 'filter'
  | 'stopped';

interface FailureFacts {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Milliseconds that the server asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The module of the orchestration service that refused or failed. */
  readonly location?: string | undefined;
  readonly cause?: unknown;
}

/** A search that failed, in words a developer can act on: no token, key, question or chunk is in them. */
export class SearchFailure extends Error {
  override readonly name = 'SearchFailure';
  readonly kind: FailureKind;
  /** Of HTTP, the search's or the token endpoint's. */
  readonly status: number | undefined;
  /** SAP's name of the request, for a ticket. */
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly location: string | undefined;

  constructor(kind: FailureKind, message: string, facts: FailureFacts = {}) {
    super(message, { cause: facts.cause });
    this.kind = kind;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.location = facts.location;
  }

  /** Whether the same search may succeed a little later. */
  get isRetryable(): boolean {
    if (this.kind === 'status') return isPassing(this.status ?? 0);
    return this.kind === 'network' || this.kind === 'timeout' || this.kind === 'token';
  }

  /** Whether the configuration or its credentials are the cause, so that every other search would fail too. */
  get isRefusal(): boolean {
    if (this.kind === 'destination') return true;
    if (isAboutTexts(this.location)) return false;
    const { status = 0 } = this;
    return (
      (this.kind === 'status' || this.kind === 'token') &&
      // A redirect is not followed, and would be there for every other search too.
      status >= 300 &&
      status < 500 &&
      !isPassing(status)
    );
  }

  /** Whether the group had too much to do. */
  get isOverload(): boolean {
    return this.kind === 'timeout' || this.status === 429 || this.status === 503;
  }
}

/** The failure of a search as its caller knows it; whatever else was thrown comes back as it is. */
export function toRetrieverError(error: unknown, attempts: number): unknown {
  if (!(error instanceof SearchFailure)) return error;
  const code = error.kind === 'timeout' ? 'retriever-timeout' : 'retriever-failed';
  const { message, requestId } = error;
  return new RetrieverError(code, message, { cause: error, attempts, requestId });
}

/** What filters and the template refuse is one question's text, or one that it found. */
function isAboutTexts(location: string | undefined): boolean {
  return location !== undefined && /filter|templat/i.test(location);
}

function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}
