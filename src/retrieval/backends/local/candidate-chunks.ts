import { addUserConditions } from '../../add-user-conditions.ts';
import type { SearchFilter } from '../../../model/filters.ts';
import { matchesFilter, type Metadata } from '../../match-filter.ts';
import type { FilteredData } from '../../filter-warnings.ts';
import { addBit, type Bitmap, createBitmap, uniteBitmaps } from './bitmap.ts';
import { splitDocument } from './chunking.ts';
import type { LocalDocument } from './local-document.ts';
import type { LocalIndex } from './local-index.ts';
import { type PausableWork, runInSlices } from './pausable-work.ts';

/** What the filters of a search leave of an index. */
export interface CandidateChunks {
  /** The chunks that any of the filters lets pass; `undefined`: there is no filter, so all. */
  readonly allowed: Bitmap | undefined;
  /** The filters one by one, when any of them limits how much it returns; else none. */
  readonly limited: readonly LimitedChunks[];
}

export interface LimitedChunks {
  readonly allowed: Bitmap;
  /** `Infinity` where the filter sets none. */
  readonly maxChunkCount: number;
  readonly maxDocumentCount: number;
}

interface FilterOptions {
  readonly filters?: FilteredData['filters'] | undefined;
  readonly users?: FilteredData['users'] | undefined;
}

// Each costs a bit a chunk and filter.
const rememberedUsers = 256;

/** Evaluates the filters once for each user, or again for one who was not heard of for long. */
export function rememberCandidates(
  index: LocalIndex,
  { filters = [], users = {} }: FilterOptions,
): (user: string | undefined) => Promise<CandidateChunks> {
  const remembered = new Map<string | undefined, Promise<CandidateChunks>>();
  return (user) => {
    const restricted = addUserConditions(filters, users, user);
    const candidates = remembered.get(user) ?? findCandidateChunks(index, restricted);
    remembered.delete(user);
    remembered.set(user, candidates);
    const [oldest] = remembered.keys();
    if (remembered.size > rememberedUsers) remembered.delete(oldest);
    return candidates;
  };
}

/** Matches every chunk of an index against the filters, in slices that let everything else run. */
async function findCandidateChunks(
  index: LocalIndex,
  filters: readonly SearchFilter[],
): Promise<CandidateChunks> {
  if (filters.length === 0) return { allowed: undefined, limited: [] };
  const limited = await Promise.all(
    filters.map(async (filter) => ({
      allowed: await runInSlices(matchChunks(index, filter)),
      ...readLimits(filter),
    })),
  );
  const hasLimit = limited.some(
    ({ maxChunkCount, maxDocumentCount }) => Math.min(maxChunkCount, maxDocumentCount) < Infinity,
  );
  return {
    allowed: uniteBitmaps(limited.map(({ allowed }) => allowed)),
    limited: hasLimit ? limited : [],
  };
}

function readLimits({ searchConfiguration }: SearchFilter): Omit<LimitedChunks, 'allowed'> {
  return {
    maxChunkCount: searchConfiguration?.maxChunkCount ?? Infinity,
    maxDocumentCount: searchConfiguration?.maxDocumentCount ?? Infinity,
  };
}

function* matchChunks(index: LocalIndex, filter: SearchFilter): PausableWork<Bitmap> {
  const allowed = createBitmap(index.chunkCount);
  for (const [number, document] of index.documents.entries()) {
    const first = index.firstChunks[number] as number;
    const end = index.firstChunks[number + 1] as number;
    const passes = matchChunksOf(document, index, filter);
    for (let chunk = first; chunk < end; chunk += 1) {
      if (passes(chunk - first)) addBit(allowed, chunk);
    }
    yield;
  }
  return allowed;
}

function matchChunksOf(
  document: LocalDocument,
  { chunking }: LocalIndex,
  filter: SearchFilter,
): (chunkIndex: number) => boolean {
  const levels = { repository: none, document: document.metadata ?? none, chunk: none };
  const { chunkMetadata } = document;
  if (!chunkMetadata) {
    const passes = matchesFilter(filter, levels);
    return () => passes;
  }
  const chunks = [...splitDocument(document, chunking)];
  const outcomes = chunks.map(({ paragraphs }) => {
    const chunk = uniteMetadata(paragraphs.map((paragraph) => chunkMetadata[paragraph] ?? none));
    return matchesFilter(filter, { ...levels, chunk });
  });
  return (chunkIndex) => outcomes[chunkIndex] ?? false;
}

const none: Metadata = {};

/** A chunk of several paragraphs carries the values of each. */
function uniteMetadata(parts: readonly Metadata[]): Metadata {
  if (parts.length === 1) return parts[0] ?? none;
  const united = new Map<string, readonly string[]>();
  for (const [key, values] of parts.flatMap((part) => Object.entries(part))) {
    united.set(key, [...(united.get(key) ?? []), ...values]);
  }
  return Object.fromEntries(united);
}

/** The filters and users of a search with the corpus that they are to match. */
export function toFilteredData(
  index: LocalIndex,
  { filters = [], users = {} }: FilterOptions,
): FilteredData {
  return {
    filters,
    users,
    async passes(some) {
      const { allowed } = await findCandidateChunks(index, some);
      return allowed?.some((bits) => bits !== 0) ?? true;
    },
    *listKeys() {
      for (const { metadata = {}, chunkMetadata = [] } of index.documents) {
        yield* Object.keys(metadata);
        for (const ofChunk of chunkMetadata) yield* Object.keys(ofChunk);
      }
    },
  };
}
