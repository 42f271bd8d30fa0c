import { RetrieverError } from '../errors.ts';
import { inSpan } from './in-span.ts';
import type { Retrieval, Retriever } from './retriever.ts';
import type { SearchConfiguration } from '../model/search-configuration.ts';

/** How a search ended, without a word of what was searched. */
export interface SearchEvent {
  readonly backend: SearchConfiguration['backend'];
  /** `found`, `empty`, the code of the failure, or `issue`. */
  readonly outcome: 'found' | 'empty' | RetrieverError['code'] | 'issue';
  /** Waiting for a turn, and for the pauses between retries, included. */
  readonly seconds: number;
  readonly attempts: number;
}

export type SearchListener = (event: SearchEvent) => void;

/** The same retriever, which reports each search that has ended. Aborted searches are not reported. */
export function watchSearches(
  retriever: Retriever,
  backend: SearchEvent['backend'],
  tell: SearchListener,
): Retriever {
  return {
    ...retriever,
    async retrieve(question, options) {
      const start = performance.now();
      const end = (outcome: SearchEvent['outcome'], attempts: number) =>
        tell({ backend, outcome, attempts, seconds: (performance.now() - start) / 1000 });
      let found: Retrieval;
      try {
        found = await inSpan('search', { attributes: { 'grounding_eval.backend': backend } }, () =>
          retriever.retrieve(question, options),
        );
      } catch (error) {
        const isFailure = error instanceof RetrieverError;
        if (isFailure) end(error.code, error.attempts);
        else if (!options.signal.aborted) end('issue', 0);
        throw error;
      }
      end(found.hits.length > 0 ? 'found' : 'empty', found.cost.attempts);
      return found;
    },
  };
}
