import type { SqlColumns } from '../../../model/sql-search.ts';
import type { FoundChunk } from '../../ai-core/found-chunk.ts';
import { SearchFailure } from '../../search-failure.ts';
import type { SqlRows } from './sql-client.ts';

/** Reads the chunks of a result in its order. A column that is named and not there fails the search. */
export function readRows(
  columns: SqlColumns,
  { columns: names, rows }: SqlRows,
  source: string,
): readonly FoundChunk[] {
  const find = (name: string) => {
    const index = names.indexOf(name);
    if (index !== -1) return (row: readonly unknown[]) => row[index];
    const found = names.map((each) => `"${each}"`).join(', ');
    const message = `The result of database '${source}' has no column "${name}". It has ${found}`;
    throw new SearchFailure('answer', message);
  };
  const findOptional = (name: string | undefined) =>
    name === undefined ? () => undefined : find(name);
  const readDocumentId = find(columns.documentId);
  const readScore = findOptional(columns.score);
  const readChunkId = findOptional(columns.chunkId);
  const readText = findOptional(columns.text);
  return rows.map((row): FoundChunk => {
    const score = toNumber(readScore(row));
    return {
      documentId: toText(readDocumentId(row)) ?? null,
      hasOtherIds: false,
      source: null,
      chunkId: toText(readChunkId(row)) ?? null,
      score,
      scoreSource: score === undefined ? 'none' : 'answer',
      repository: source,
      text: toText(readText(row)) ?? '',
      keys: [],
    };
  });
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

/** Clients give numbers that need not fit into one as text. */
function toNumber(value: unknown): number | undefined {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  const number = isNumber ? Number(value) : NaN;
  return Number.isFinite(number) ? number : undefined;
}
