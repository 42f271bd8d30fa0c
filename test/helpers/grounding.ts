import { RetrievalApi } from '@sap-ai-sdk/document-grounding';
import {
  type HttpDestination,
  type Service,
  transformServiceBindingToDestination,
} from '@sap-cloud-sdk/connectivity';
import { onTestFinished } from 'vitest';

import {
  type AiCoreStub,
  type AiCoreStubOptions,
  type RetrievalAnswer,
  startAiCoreStub,
} from 'grounding-eval-testing';

/** A stub that is closed when the test ends. */
export async function startStub(options: AiCoreStubOptions = {}): Promise<AiCoreStub> {
  const stub = await startAiCoreStub(options);
  onTestFinished(() => stub.close());
  return stub;
}

export interface SdkOptions {
  readonly resourceGroup?: string;
  readonly signal?: AbortSignal;
  readonly keepAlive?: boolean;
}

interface AskedSearch {
  readonly query: string;
  readonly filters: readonly object[];
  readonly postProcessing?: readonly object[];
}

/** Searches as SAP's own SDK does, its token included. What it throws has the HTTP error as `cause`. */
export async function searchBySdk(
  serviceKey: string,
  search: AskedSearch,
  options: SdkOptions = {},
): Promise<RetrievalAnswer> {
  const { resourceGroup = 'default', signal, keepAlive = false } = options;
  const destination = await createDestination(serviceKey);
  const request = RetrievalApi.search(
    search as unknown as Parameters<typeof RetrievalApi.search>[0],
    { 'AI-Resource-Group': resourceGroup },
  ).addCustomRequestConfiguration(signal ? { signal } : {});
  const answer: unknown = await request.execute({ ...destination, agentOptions: { keepAlive } });
  return answer as RetrievalAnswer;
}

/** What became of a search that failed: the status and the body, or the network error's code. */
export async function failSearchBySdk(
  ...search: Parameters<typeof searchBySdk>
): Promise<SdkFailure> {
  const error: unknown = await searchBySdk(...search).then(
    (answer) => {
      throw new Error(`The search was answered: ${JSON.stringify(answer)}`);
    },
    (reason: unknown) => reason,
  );
  const { cause } = error as { cause?: { response?: SdkResponse; code?: string } };
  const { response, code } = cause ?? {};
  return { status: response?.status, body: response?.data, headers: response?.headers ?? {}, code };
}

interface SdkResponse {
  readonly status: number;
  readonly data: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface SdkFailure {
  readonly status: number | undefined;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly code: string | undefined;
}

/** The destination that the SDK makes of a service key. */
export async function createDestination(serviceKey: string): Promise<HttpDestination> {
  const credentials = JSON.parse(serviceKey) as Service['credentials'];
  const binding = {
    name: 'aicore',
    label: 'aicore',
    tags: ['aicore'],
    plan: 'extended',
    credentials,
  };
  const destination = await transformServiceBindingToDestination(binding, { useCache: true });
  return destination as HttpDestination;
}

export type RankedChunk = readonly [documentId: string | undefined, score: number | undefined];

/** The chunks of an entry of the answer by their document's id, best first, ties by id. */
export function readRanking(
  { results }: RetrievalAnswer,
  filterId: string,
): readonly RankedChunk[] {
  const documents = results
    .filter((entry) => entry.filterId === filterId)
    .flatMap((entry) => entry.results ?? [])
    .flatMap(({ dataRepository }) => dataRepository.documents);
  const chunks = documents.flatMap((document) => document.chunks);
  const ranked = chunks.map(({ metadata, searchScores, postProcessingScore }): RankedChunk => {
    const documentId = metadata.find(({ key }) => key === 'docId')?.value[0];
    return [documentId, (postProcessingScore ?? searchScores?.aggregatedScore)?.value];
  });
  return ranked.toSorted(
    ([idA = '', a = -1], [idB = '', b = -1]) => b - a || idA.localeCompare(idB),
  );
}

/** The keys of a JSON value at each level, whatever the order and the number of a list's entries. */
export function listKeyPaths(value: unknown, path = '$'): readonly string[] {
  if (Array.isArray(value)) {
    return [...new Set(value.flatMap((item) => listKeyPaths(item, `${path}[]`)))].toSorted();
  }
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Object.entries(value);
  return [
    ...new Set(entries.flatMap(([key, item]) => listKeyPaths(item, `${path}.${key}`))),
  ].toSorted();
}
