import { addUserConditions } from '../../add-user-conditions.ts';
import type { SearchFilter } from '../../../model/filters.ts';
import {
  isOperation,
  listOperations,
  type OperationInput,
  type PostProcessing,
} from '../../../model/post-processing.ts';
import type { AiCoreConfiguration } from '../../../model/search-configuration.ts';
import type { SentSearch } from './read-answer.ts';

/** The body of a search. Everything but the missing ids and the user's conditions is as it was configured. */
export interface SearchBody {
  readonly query: string;
  readonly filters: readonly (SearchFilter & { readonly id: string })[];
  readonly postProcessing?: readonly PostProcessing[];
}

export interface SearchRequest {
  readonly body: SearchBody;
  readonly sent: SentSearch;
}

/**
 * The search of one question. The text is sent unchanged. Filters and operations without an id get one,
 * so that the parts of the answer can be matched to it. Throws `unknown-user` for a user without conditions.
 */
export function buildSearchRequest(
  configuration: AiCoreConfiguration,
  question: string,
  user: string | undefined,
): SearchRequest {
  const filters = addUserConditions(configuration.filters, configuration.users, user);
  const nextId = createIds(filters, configuration.postProcessing);
  const named = filters.map((filter) => ({ ...filter, id: filter.id ?? nextId('filter') }));
  const operations = configuration.postProcessing.map((operation) =>
    nameOperation(operation, nextId),
  );
  const postProcessing = operations.length > 0 ? { postProcessing: operations } : {};
  return {
    body: { query: question, filters: named, ...postProcessing },
    sent: {
      filterIds: named.map(({ id }) => id),
      operationId: operations.at(-1)?.id,
    },
  };
}

/** How many of a search's operations ask a re-ranking model. */
export function countRerankers(postProcessing: readonly PostProcessing[]): number {
  return listOperations(postProcessing).filter(
    ({ operation }) => operation.strategy.type === 'reranker',
  ).length;
}

type NextId = (kind: 'filter' | 'operation') => string;

function createIds(
  filters: readonly SearchFilter[],
  postProcessing: readonly PostProcessing[],
): NextId {
  const operations = listOperations(postProcessing).map(({ operation }) => operation);
  const taken = new Set([...filters, ...operations].map(({ id }) => id));
  const counts = { filter: 0, operation: 0 };
  return function next(kind): string {
    counts[kind] += 1;
    const id = `${kind}-${counts[kind]}`;
    return taken.has(id) ? next(kind) : id;
  };
}

function nameOperation(
  operation: PostProcessing,
  nextId: NextId,
): PostProcessing & { readonly id: string } {
  const nameInput = (input: OperationInput) =>
    isOperation(input) ? nameOperation(input, nextId) : input;
  return {
    ...operation,
    id: operation.id ?? nextId('operation'),
    inputs: operation.inputs.map(nameInput),
  };
}
