import { RetrieverError } from '../errors.ts';
import type { Allowances } from '../model/allowances.ts';
import { explainRefusals, listRefusals } from './allowances.ts';
import type { Retriever } from './retriever.ts';
import type { SearchConfiguration } from '../model/search-configuration.ts';

/** The same retriever. Where its configuration uses what is not allowed, each search fails, and nothing is called. */
export function refuseSearches(
  retriever: Retriever,
  configuration: SearchConfiguration,
  allowances: Allowances,
): Retriever {
  const refusals = listRefusals(configuration, allowances);
  if (refusals.length === 0) return retriever;
  const message = explainRefusals(refusals, allowances);
  const retrieve = () => Promise.reject(new RetrieverError('retriever-failed', message));
  // What was found before can still be scored and read.
  return { ...retriever, retrieve };
}
