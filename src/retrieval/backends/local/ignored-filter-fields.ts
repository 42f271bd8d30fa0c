import type { SearchFilter } from '../../../model/filters.ts';

/**
 * The fields of the filters, sorted, that would change what SAP's Retrieval API returns and that the local
 * search does not act on. A corpus is one repository, so only naming a repository, or a type other than
 * `vector`, counts as such.
 */
export function listIgnoredFilterFields(filters: readonly SearchFilter[]): readonly string[] {
  return [...new Set(filters.flatMap(listIgnoredFields))].toSorted();
}

function listIgnoredFields(filter: SearchFilter): readonly string[] {
  const { dataRepositories, dataRepositoryType, searchConfiguration, ...others } = filter;
  const ignored = listOthers(others, fieldsActedOn);
  if (!namesEveryRepository(dataRepositories)) ignored.push('dataRepositories');
  if (!isAbsent(dataRepositoryType) && dataRepositoryType !== 'vector') {
    ignored.push('dataRepositoryType');
  }
  const searchFields = listOthers(searchConfiguration ?? {}, searchFieldsActedOn);
  return [...ignored, ...searchFields.map((field) => `searchConfiguration.${field}`)];
}

const fieldsActedOn = new Set([
  'id',
  'dataRepositoryMetadata',
  'documentMetadata',
  'chunkMetadata',
  'filter',
]);
const searchFieldsActedOn = new Set(['maxChunkCount', 'maxDocumentCount']);

function listOthers(fields: object, actedOn: ReadonlySet<string>): string[] {
  return Object.entries(fields)
    .filter(([field, value]) => !actedOn.has(field) && !isAbsent(value))
    .map(([field]) => field);
}

function namesEveryRepository(repositories: unknown): boolean {
  return isAbsent(repositories) || (Array.isArray(repositories) && repositories.includes('*'));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
