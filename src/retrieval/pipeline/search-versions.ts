import { RetrieverError } from '../../errors.ts';
import type { Retrieval, RetrieveOptions, Retriever } from '../retriever.ts';
import type { QuestionVersion } from './rewrite-question.ts';
import {
  type StageFailure,
  type StageJournal,
  toFailure,
  toFallbackCode,
  withinTime,
} from './stage-run.ts';

/** What the search of one version brought back, or why it failed. */
export interface VersionResult {
  readonly version: QuestionVersion;
  readonly retrieval?: Retrieval;
  readonly failure?: RetrieverError | StageFailure;
  readonly attempts: number;
  readonly latencyMs: number;
}

/**
 * Searches all versions in parallel, each with the same options: the filters and the user's conditions are
 * the backend's, and no version is searched without them. A version whose search fails or is late is left out
 * as a fallback; whether the first one, the question, has failed is for the caller to see.
 */
export async function searchVersions(
  retriever: Retriever,
  versions: readonly QuestionVersion[],
  search: {
    readonly journal: StageJournal;
    readonly backend: string;
    readonly options: RetrieveOptions;
    /** For all but the first. */
    readonly timeoutMs: number | undefined;
  },
): Promise<readonly VersionResult[]> {
  const { journal, backend, options, timeoutMs } = search;
  const results = await Promise.all(
    versions.map((version, index) =>
      searchVersion(retriever, version, { options, timeoutMs: index > 0 ? timeoutMs : undefined }),
    ),
  );
  for (const { version, failure } of results.slice(1)) {
    if (!failure) continue;
    const code = toFallbackCode(failure);
    journal.addFallback({ stage: 'search', type: version.kind, code, detail: failure.message });
  }
  const costs = results.flatMap(({ retrieval }) => retrieval?.cost ?? []);
  const failed = results.filter(({ failure, attempts }) => failure && attempts > 0).length;
  journal.addCost({
    stage: 'search',
    type: backend,
    latencyMs: Math.max(...results.map(({ latencyMs }) => latencyMs)),
    searches: addUp(costs.map(({ searches }) => searches)) + failed,
    pairsReranked: addUp(costs.map(({ pairsReranked }) => pairsReranked)),
    modelCalls: addUp(costs.map(({ modelCalls }) => modelCalls)),
    promptTokens: addUp(costs.map(({ promptTokens }) => promptTokens)),
    completionTokens: addUp(costs.map(({ completionTokens }) => completionTokens)),
  });
  return results;
}

async function searchVersion(
  retriever: Retriever,
  version: QuestionVersion,
  {
    options,
    timeoutMs,
  }: { readonly options: RetrieveOptions; readonly timeoutMs: number | undefined },
): Promise<VersionResult> {
  const start = performance.now();
  try {
    const retrieval = await withinTime(timeoutMs, options.signal, (signal) =>
      retriever.retrieve(version.text, { ...options, signal }),
    );
    const { attempts, latencyMs } = retrieval.cost;
    return { version, retrieval, attempts, latencyMs };
  } catch (error) {
    options.signal.throwIfAborted();
    const failure = toFailure(error);
    // An aborted search was still sent.
    const attempts = failure instanceof RetrieverError ? failure.attempts : 1;
    return { version, failure, attempts, latencyMs: performance.now() - start };
  }
}

function addUp(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
