import { groupChunks } from './group-chunks.ts';
import { postProcess } from './post-process.ts';
import type { RetrievalAnswer } from './retrieval-answer.ts';
import { type FilterOutcome, runFilter } from './run-filter.ts';
import type { SearchBody } from './search-body.ts';
import type { SearchableRepository } from './stub-repository.ts';

/** Answers a search as SAP's Retrieval API does: an entry for each filter, and one for each operation. */
export function answerSearch(
  repositories: readonly SearchableRepository[],
  { query, filters, postProcessing }: SearchBody,
): RetrievalAnswer {
  const found = new Map<string, FilterOutcome>(
    filters.map((filter) => [filter.id, runFilter(repositories, filter, query)]),
  );
  const outcomes = postProcess(found, postProcessing, query);
  return {
    results: [...outcomes].map(([filterId, outcome]) =>
      'error' in outcome
        ? { filterId, ...outcome }
        : { filterId, results: groupChunks(outcome.chunks) },
    ),
  };
}
