import { setTimeout as sleep } from 'node:timers/promises';

import { RetrieverError } from '../../src/errors.ts';
import type { RetrieverRegistry } from '../../src/retrieval/registry.ts';
import { type Retrieval } from '../../src/retrieval/retriever.ts';
import { noCost } from '../../src/model/outcome.ts';

export interface SteeredSearches {
  readonly retrievers: RetrieverRegistry;
  /** Every question id that was searched, in order. */
  readonly searched: readonly string[];
  /** What the next searches do. */
  steer(question: 'answer' | 'fail' | 'hold' | ((questionId: string) => Behaviour)): void;
}

type Behaviour = 'answer' | 'fail' | 'hold';

/** Searches that find document P1, fail, or wait until they are told otherwise. */
export function steerSearches(first: Behaviour | ((id: string) => Behaviour)): SteeredSearches {
  let current = first;
  const searched: string[] = [];
  const behave = (id: string) => (typeof current === 'function' ? current(id) : current);
  const cost = { ...noCost, searches: 1, attempts: 1, latencyMs: 1 };
  // So long that every outcome takes a page of the store.
  const chunkId = 'P1#0'.padEnd(5000, '-');
  const found: Retrieval = { hits: [{ documentId: 'P1', chunkId, score: 1 }], cost };
  return {
    searched,
    steer(question) {
      current = question;
    },
    retrievers: {
      createRetriever: async () => ({
        async retrieve(_text, { questionId = '', signal }) {
          searched.push(questionId);
          while (behave(questionId) === 'hold') await sleep(5, undefined, { signal });
          if (behave(questionId) === 'answer') return found;
          throw new RetrieverError('retriever-failed', 'told to fail', { attempts: 1 });
        },
      }),
    },
  };
}
