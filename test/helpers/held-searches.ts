import { RetrieverError } from '../../src/errors.ts';
import type { RetrieverRegistry } from '../../src/retrieval/registry.ts';
import { noCost } from '../../src/model/outcome.ts';

export interface HeldSearches {
  readonly retrievers: RetrieverRegistry;
  /** From now on searches wait until they are stopped. */
  readonly hold: () => void;
}

/** Searches that find the same documents, at once or never. */
export function createHeldSearches(documentIds: readonly string[] = []): HeldSearches {
  let isHeld = false;
  const hits = documentIds.map((documentId) => ({ documentId, chunkId: null, score: null }));
  const cost = { ...noCost, searches: 1, attempts: 1, latencyMs: 1 };
  return {
    retrievers: {
      createRetriever: async () => ({
        retrieve: async (_text, { signal }) => (isHeld ? untilStopped(signal) : { hits, cost }),
      }),
    },
    hold: () => {
      isHeld = true;
    },
  };
}

function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(new RetrieverError('retriever-failed', 'stopped'));
    signal.addEventListener('abort', stop, { once: true });
  });
}
