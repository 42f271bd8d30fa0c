import type {
  FilterTree,
  MetadataCondition,
  SearchFilter,
  UserConditions,
} from '../model/filters.ts';
import { nameSome, type WarningText } from '../model/warnings.ts';
import { addUserConditions } from './add-user-conditions.ts';
import type { AskedUsers } from './retriever.ts';

/** Filters with the data that they are to match. */
export interface FilteredData {
  readonly filters: readonly SearchFilter[];
  readonly users: Readonly<Record<string, UserConditions>>;
  /** Whether anything of the data passes one of the filters. */
  readonly passes: (filters: readonly SearchFilter[]) => Promise<boolean>;
  /** The metadata keys of the data, some of them perhaps several times. */
  readonly listKeys: () => Iterable<string>;
}

/** Filters and users that nothing passes, and metadata keys that nothing has. */
export async function findFilterWarnings(
  data: FilteredData,
  asked: AskedUsers,
): Promise<readonly WarningText[]> {
  return [...(await warnOfFilters(data)), ...(await warnOfUsers(data, asked)), ...warnOfKeys(data)];
}

async function warnOfFilters({ filters, passes }: FilteredData): Promise<readonly WarningText[]> {
  const closed: string[] = [];
  for (const [place, filter] of filters.entries()) {
    if (!(await passes([filter]))) closed.push(filter.id ?? `filters[${place}]`);
  }
  if (closed.length === 0) return [];
  const message = `No document of the searched data passes these filters: ${nameSome(closed)}`;
  const severity = closed.length === filters.length ? 'error' : undefined;
  return [{ code: 'filter-passes-nothing', message, severity }];
}

/** Users without a result whose conditions are looked at: each costs a pass over the data. */
const maxUsers = 20;

/** Conditions of users that leave nothing, where the filters alone leave something. */
async function warnOfUsers(
  { filters, users, passes }: FilteredData,
  { empty }: AskedUsers,
): Promise<readonly WarningText[]> {
  const known = empty.filter((user) => user !== undefined && Object.hasOwn(users, user));
  if (known.length === 0 || (filters.length > 0 && !(await passes(filters)))) return [];
  const closed: string[] = [];
  for (const user of known.slice(0, maxUsers)) {
    const isOpen = await passes(addUserConditions(filters, users, user));
    if (!isOpen && user !== undefined) closed.push(user);
  }
  if (closed.length === 0) return [];
  const message = `No document of the searched data passes the conditions of these users: ${nameSome(closed)}`;
  return [{ code: 'filter-passes-nothing', message }];
}

/** Keys that are named in the message. */
const maxKeys = 15;

/** A condition that ignores what lacks its key lets everything pass when the key is misspelt. */
function warnOfKeys({ filters, users, listKeys }: FilteredData): readonly WarningText[] {
  const conditions = [
    ...filters.flatMap(listConditions),
    ...Object.values(users).flatMap(({ documentMetadata }) => documentMetadata),
  ];
  const unknown = new Set(conditions.map(({ key }) => key));
  if (unknown.size === 0) return [];
  const present = new Set<string>();
  for (const key of listKeys()) {
    unknown.delete(key);
    if (unknown.size === 0) return [];
    if (present.size <= maxKeys) present.add(key);
  }
  const keys = present.size > 0 ? `the keys are ${nameSome(present, maxKeys)}` : 'there are none';
  const message = `No document of the searched data has these metadata keys of the filters: ${nameSome(unknown)}; ${keys}`;
  return [{ code: 'unknown-filter-key', message }];
}

/** The conditions of a filter, those of a boolean tree included. */
export function listConditions(filter: SearchFilter): readonly MetadataCondition[] {
  const { dataRepositoryMetadata = [], documentMetadata = [], chunkMetadata = [] } = filter;
  const listed = [...dataRepositoryMetadata, ...documentMetadata, ...chunkMetadata];
  return filter.filter ? [...listed, ...listLeaves(filter.filter)] : listed;
}

function listLeaves(tree: FilterTree): readonly MetadataCondition[] {
  return 'operator' in tree ? [...listLeaves(tree.left), ...listLeaves(tree.right)] : [tree];
}
