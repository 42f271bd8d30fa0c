import type { IncomingHttpHeaders } from 'node:http';

export type StubEndpoint = 'token' | 'deployments' | 'search' | 'dataRepositories' | 'completion';

/** A request as it reached the stub. */
export interface StubRequest {
  /** `unknown`: the stub has nothing at that address and answers 404. */
  readonly endpoint: StubEndpoint | 'unknown';
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** What the header `AI-Resource-Group` says. */
  readonly resourceGroup: string | undefined;
  /** The JSON value that was sent; the text as it is where it is no JSON. */
  readonly body: unknown;
  /** The question of a search or of a completion with grounding; all that the model is told of another completion. */
  readonly question: string | undefined;
  /** How often this question was sent for this resource group by now, this time included. */
  readonly attempt: number;
  /** In milliseconds, on the clock of `performance.now()`. */
  readonly arrivedAt: number;
  /** The number of the connection it came through, from 1. */
  readonly socket: number;
}

export interface RecordedRequest extends StubRequest {
  /** The status it was answered with; `null` until then, and for ever where it was not answered. */
  readonly status: number | null;
}
