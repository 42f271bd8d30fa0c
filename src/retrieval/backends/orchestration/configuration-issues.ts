import { type ConfigurationIssue, findTwoCounts } from '../../ai-core/configuration-issue.ts';
import type { DocumentIdRule } from '../../../model/document-id-rule.ts';
import type { MetadataCondition, SearchFilter, UserConditions } from '../../../model/filters.ts';

export interface CheckedConfiguration {
  readonly filters: readonly SearchFilter[];
  readonly documentId: DocumentIdRule | readonly DocumentIdRule[];
  readonly users: Readonly<Record<string, UserConditions>>;
}

/** What the grounding module has no words for. Leaving it out would search something else than was asked for. */
export function findConfigurationIssues({
  filters,
  documentId,
  users,
}: CheckedConfiguration): readonly ConfigurationIssue[] {
  return [
    ...findTwoCounts(filters),
    ...filters.flatMap((filter, index) => place(['filters', index], findFilterIssues(filter))),
    ...Object.entries(users).flatMap(([name, { documentMetadata }]) =>
      place(['users', name, 'documentMetadata'], findDocumentIssues(documentMetadata)),
    ),
    ...findIdIssues(documentId),
  ];
}

const filterFields = new Set([
  'id',
  'searchConfiguration',
  'dataRepositories',
  'dataRepositoryType',
  'dataRepositoryMetadata',
  'documentMetadata',
  'chunkMetadata',
]);
const countFields = new Set(['maxChunkCount', 'maxDocumentCount']);
const conditionFields = new Set(['key', 'value', 'selectMode']);

function findFilterIssues(filter: SearchFilter): readonly ConfigurationIssue[] {
  const { searchConfiguration = {}, dataRepositoryMetadata, documentMetadata } = filter;
  return [
    ...findForeign(filter, filterFields),
    ...place(['searchConfiguration'], findForeign(searchConfiguration, countFields)),
    ...findRepositoryIssues(filter),
    ...place(['dataRepositoryMetadata'], findPlainIssues(dataRepositoryMetadata)),
    ...place(['documentMetadata'], findDocumentIssues(documentMetadata)),
    ...place(['chunkMetadata'], findPlainIssues(filter.chunkMetadata)),
  ];
}

/** Null and undefined ask for nothing. */
function findForeign(fields: object, known: ReadonlySet<string>): readonly ConfigurationIssue[] {
  const foreign = Object.entries(fields).filter(
    ([name, value]) => !known.has(name) && value !== null && value !== undefined,
  );
  return foreign.map(([name]) => ({
    path: [name],
    message:
      name === 'filter'
        ? 'the grounding module does not support boolean trees; use "documentMetadata", or the backend "aicore"'
        : 'the grounding module does not support this field; use the backend "aicore"',
  }));
}

function findRepositoryIssues({
  dataRepositories,
  dataRepositoryType = 'vector',
  searchConfiguration,
}: SearchFilter): readonly ConfigurationIssue[] {
  const issues: ConfigurationIssue[] = [];
  if (!isListOfIds(dataRepositories)) {
    issues.push({ path: ['dataRepositories'], message: 'must be a list of ids, or ["*"]' });
  }
  if (dataRepositoryType !== 'vector' && dataRepositoryType !== 'help.sap.com') {
    const message = 'the grounding module supports "vector" and "help.sap.com" only';
    issues.push({ path: ['dataRepositoryType'], message });
  }
  const counts = searchConfiguration?.maxDocumentCount;
  if (dataRepositoryType !== 'vector' && typeof counts === 'number') {
    const message = 'documents can be counted in "vector" repositories only';
    issues.push({ path: ['searchConfiguration', 'maxDocumentCount'], message });
  }
  return issues;
}

function isListOfIds(value: unknown): boolean {
  if (value === undefined) return true;
  return Array.isArray(value) && value.every((id) => typeof id === 'string');
}

/** Of chunks and repositories: conditions that lack a select mode. */
function findPlainIssues(
  conditions: readonly MetadataCondition[] = [],
): readonly ConfigurationIssue[] {
  return conditions.flatMap((condition, index) => {
    const issues = [...findForeign(condition, conditionFields)];
    if ((condition.selectMode ?? []).length > 0) {
      const message = 'the grounding module supports a select mode for "documentMetadata" only';
      issues.push({ path: ['selectMode'], message });
    }
    return place([index], issues);
  });
}

function findDocumentIssues(
  conditions: readonly MetadataCondition[] = [],
): readonly ConfigurationIssue[] {
  return conditions.flatMap((condition, index) => {
    const issues = [...findForeign(condition, conditionFields)];
    if (condition.selectMode?.some((mode) => mode !== 'ignoreIfKeyAbsent') ?? false) {
      issues.push({ path: ['selectMode'], message: 'can only be "ignoreIfKeyAbsent"' });
    }
    return place([index], issues);
  });
}

function findIdIssues(documentId: CheckedConfiguration['documentId']) {
  return [documentId].flat().flatMap((rule, index): readonly ConfigurationIssue[] => {
    if ('key' in rule) return [];
    const path = Array.isArray(documentId) ? ['documentId', index] : ['documentId'];
    const message =
      'the grounding module returns metadata, but not the ids of SAP; use chunkMetadata or documentMetadata';
    return [{ path: [...path, 'from'], message }];
  });
}

function place(
  path: readonly (string | number)[],
  issues: readonly ConfigurationIssue[],
): readonly ConfigurationIssue[] {
  return issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}
