import { type ConfigurationIssue, findTwoCounts } from '../../ai-core/configuration-issue.ts';
import { depthOfTree, maxTreeDepth } from '../../filter-depth.ts';
import type { SearchFilter, UserConditions } from '../../../model/filters.ts';
import {
  isOperation,
  listOperations,
  type PostProcessing,
} from '../../../model/post-processing.ts';

export interface CheckedConfiguration {
  readonly filters: readonly SearchFilter[];
  readonly postProcessing: readonly PostProcessing[];
  readonly users: Readonly<Record<string, UserConditions>>;
}

/** What is wrong between the parts of a configuration, found before any search is paid for. */
export function findConfigurationIssues(
  configuration: CheckedConfiguration,
): readonly ConfigurationIssue[] {
  return [
    ...findTwoCounts(configuration.filters),
    ...findRepeatedIds(configuration),
    ...findDeadInputs(configuration),
    ...findDeepTrees(configuration),
  ];
}

/** The schema of every backend checks that the ids of filters differ. */
function findRepeatedIds({
  filters,
  postProcessing,
}: CheckedConfiguration): readonly ConfigurationIssue[] {
  const taken = new Map(filters.flatMap(({ id }) => (id === undefined ? [] : [[id, 'filter']])));
  return listOperations(postProcessing).flatMap(({ operation: { id }, path }) => {
    if (id === undefined) return [];
    const owner = taken.get(id);
    taken.set(id, owner ?? 'operation');
    if (owner === undefined) return [];
    const message = `duplicate ${owner} id '${id}'`;
    return [{ path: ['postProcessing', ...path, 'id'], message }];
  });
}

function findDeadInputs({
  filters,
  postProcessing,
}: CheckedConfiguration): readonly ConfigurationIssue[] {
  const known = new Set(filters.map(({ id }) => id));
  return listOperations(postProcessing).flatMap(({ operation, path }) => {
    const issues = operation.inputs.flatMap((input, index) => {
      if (isOperation(input) || known.has(input.id)) return [];
      const message = `no filter and no earlier operation has the id '${input.id}'`;
      return [{ path: ['postProcessing', ...path, 'inputs', index, 'id'], message }];
    });
    known.add(operation.id);
    return issues;
  });
}

/** A user's conditions are joined to a filter's tree, each a level deeper. */
function findDeepTrees({ filters, users }: CheckedConfiguration): readonly ConfigurationIssue[] {
  const deepest = Math.max(0, ...filters.map(({ filter }) => (filter ? depthOfTree(filter) : 0)));
  if (!filters.some(({ filter }) => filter)) return [];
  return Object.entries(users).flatMap(([name, { documentMetadata }]) => {
    const depth = deepest + documentMetadata.length;
    if (depth <= maxTreeDepth) return [];
    const message = `combined with the trees of the filters these conditions nest ${depth} levels deep, but SAP allows ${maxTreeDepth}`;
    return [{ path: ['users', name, 'documentMetadata'], message }];
  });
}
