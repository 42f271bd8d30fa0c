import type {
  FilterTree,
  MetadataCondition,
  SearchFilter,
  UserConditions,
} from '../model/filters.ts';
import { findUser } from './find-user.ts';

/**
 * The filters of a search for one user: that user's conditions are in every one of them, and where there
 * is no filter they make one. Without a user the filters come back as they are. Throws `unknown-user` for
 * a name that `users` does not hold, so that no user is searched for without their restriction.
 */
export function addUserConditions(
  filters: readonly SearchFilter[],
  users: Readonly<Record<string, UserConditions>>,
  user: string | undefined,
): readonly SearchFilter[] {
  if (user === undefined) return filters;
  const { documentMetadata } = findUser(users, user);
  if (filters.length === 0) return [{ documentMetadata }];
  return filters.map((filter) => restrict(filter, documentMetadata));
}

function restrict(filter: SearchFilter, conditions: readonly MetadataCondition[]): SearchFilter {
  // The API takes a boolean tree or the lists, so a filter that has a tree gets no list beside it.
  if (filter.filter) return { ...filter, filter: conditions.reduce(joinWithAnd, filter.filter) };
  return { ...filter, documentMetadata: [...(filter.documentMetadata ?? []), ...conditions] };
}

function joinWithAnd(tree: FilterTree, condition: MetadataCondition): FilterTree {
  return { operator: 'and', left: tree, right: { ...condition, scope: 'document' } };
}
