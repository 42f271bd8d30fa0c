import { listKeyValues } from './group-chunks.ts';
import type { KeyValues } from './retrieval-answer.ts';
import type { SearchableRepository } from './stub-repository.ts';

export interface DataRepositoryPage {
  readonly resources: readonly {
    readonly id: string;
    readonly title: string;
    readonly metadata: readonly KeyValues[];
    readonly type: string;
  }[];
  /** Of this page; of all pages where `$count=true` was asked. */
  readonly count: number;
}

/** A page of the repositories as `GET …/retrieval/dataRepositories` lists them, by `$top`, `$skip` and `$count`. */
export function listDataRepositories(
  repositories: readonly SearchableRepository[],
  query: Readonly<Record<string, string>>,
): DataRepositoryPage {
  const skip = Number(query['$skip'] ?? 0);
  const top = Number(query['$top'] ?? repositories.length);
  const resources = repositories.slice(skip, skip + top).map(({ id, title, metadata, type }) => ({
    id,
    title,
    metadata: listKeyValues(metadata),
    type,
  }));
  return { resources, count: query['$count'] === 'true' ? repositories.length : resources.length };
}
