import type { SearchFilter } from '../../../src/model/filters.ts';
import type { StubEndpoint } from './stub-request.ts';

/** A request that was answered by a mock. */
export interface MockedRequest {
  readonly endpoint: StubEndpoint;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the header `AI-Resource-Group` says. */
  readonly resourceGroup: string | undefined;
  /** The JSON value that was sent; the text as it is where it is no JSON. */
  readonly body: unknown;
}

/** A search that was answered by a mock, with what is in its body as it was sent. */
export interface MockedSearchRequest extends MockedRequest {
  readonly query: string;
  readonly filters: readonly SearchFilter[];
  readonly postProcessing: readonly object[] | undefined;
}

export async function readMockedRequest(
  endpoint: StubEndpoint,
  request: Request,
): Promise<MockedRequest> {
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.clone().text();
  return {
    endpoint,
    path: pathname,
    parameters: Object.fromEntries(searchParams),
    headers: Object.fromEntries(request.headers),
    resourceGroup: request.headers.get('ai-resource-group') ?? undefined,
    body: parse(text),
  };
}

export function toSearchRequest(request: MockedRequest): MockedSearchRequest {
  const { query, filters, postProcessing } = request.body as MockedSearchRequest;
  return { ...request, query, filters, postProcessing };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
