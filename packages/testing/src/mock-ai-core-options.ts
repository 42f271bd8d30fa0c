import type { Deployment } from './deployments.ts';
import type { MockedRequest, MockedSearchRequest } from './mocked-request.ts';

/** An answer, or a failure of the network. */
export interface MockedAnswer<Asked = MockedRequest> {
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: string | object | ((request: Asked) => string | object);
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
  /** The code of a network error, as `ECONNRESET`: there is no answer. */
  readonly networkError?: string;
}

export interface MockAiCoreOptions {
  /** The answers to searches, in this order, one for each. A search too many gets nock's own refusal, a 501. */
  readonly searches?: readonly MockedAnswer<MockedSearchRequest>[];
  /** The answers of the orchestration service, in this order, one for each completion. */
  readonly completions?: readonly MockedAnswer[];
  /** A token that is valid for long unless given. The SDK keeps it, so test failing tokens at an address of their own. */
  readonly token?: MockedAnswer;
  /** A running orchestration deployment unless given. */
  readonly deployments?: readonly Deployment[];
  /** An empty list unless given. */
  readonly dataRepositories?: MockedAnswer;
  /** The address of the API and of the token endpoint; `https://ai-core.test` unless given. */
  readonly url?: string;
}
