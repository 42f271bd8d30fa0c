import type { Retrieval, RetrieveOptions, Retriever, SharedWork } from '../retriever.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import { defaultCandidates } from './rerank-candidates.ts';
import {
  rewriteQuestion,
  type AskedText,
  type RewrittenQuestion,
  type Rewriter,
} from './rewrite-question.ts';
import { createStageJournal, type StageJournal } from './stage-run.ts';

/**
 * What several configurations that search alike find out about one question, each thing once. Its searches are
 * as deep as the one that needs most.
 */
export function createSharedWork(configurations: readonly SearchConfiguration[]): SharedWork {
  const known = new Map<string, Promise<unknown>>();
  return {
    depth: Math.max(...configurations.map(findDepth)),
    once<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
      const result = (known.get(key) as Promise<Result> | undefined) ?? work();
      known.set(key, result);
      return result;
    },
  };
}

function findDepth({ depth, pipeline }: SearchConfiguration): number {
  return pipeline?.rerank ? Math.max(depth, pipeline.candidates ?? defaultCandidates) : depth;
}

/** A retriever that searches each text once. What comes back costs each caller what it would have cost alone. */
export function shareSearches(retriever: Retriever, shared: SharedWork | undefined): Retriever {
  if (!shared) return retriever;
  return {
    ...retriever,
    async retrieve(text, options) {
      const deepest = { ...options, depth: shared.depth, withTexts: true };
      const found = await shared.once(`search ${text}`, () => search(retriever, text, deepest));
      return { ...found, hits: found.hits.slice(0, options.depth) };
    },
  };
}

/** An aborted search fails for all with the reason of the abort, whatever error the backend throws. */
async function search(
  retriever: Retriever,
  text: string,
  options: RetrieveOptions,
): Promise<Retrieval> {
  try {
    return await retriever.retrieve(text, options);
  } catch (error) {
    options.signal.throwIfAborted();
    throw error;
  }
}

/** As `rewriteQuestion`, once for all that share the work; the journal of each records what it cost. */
export async function rewriteOnce(
  asked: AskedText,
  rewriters: readonly Rewriter[],
  run: { readonly journal: StageJournal; readonly signal: AbortSignal },
  shared: SharedWork | undefined,
): Promise<RewrittenQuestion> {
  if (!shared || rewriters.length === 0) return rewriteQuestion(asked, rewriters, run);
  const { rewritten, stages, fallbacks } = await shared.once('rewrite', async () => {
    const journal = createStageJournal();
    const made = await rewriteQuestion(asked, rewriters, { journal, signal: run.signal });
    return { rewritten: made, stages: journal.stages, fallbacks: journal.fallbacks };
  });
  for (const cost of stages) run.journal.addCost(cost);
  for (const fallback of fallbacks) run.journal.addFallback(fallback);
  return rewritten;
}
