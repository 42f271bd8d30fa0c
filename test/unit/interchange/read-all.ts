import { createImportNotes, type ImportNotes } from '../../../src/interchange/import-notes.ts';
import type { Issue, Reading } from '../../../src/interchange/reading.ts';
import type { ReadOptions } from '../../../src/interchange/records.ts';

interface Result<Value> {
  readonly values: readonly Value[];
  readonly issues: readonly Issue[];
  /** Codes of warnings, with how many questions each touches. */
  readonly warnings: Readonly<Record<string, number>>;
}

type Read<Value> = (
  texts: AsyncIterable<string>,
  options: ReadOptions,
) => AsyncIterable<Reading<Value> | readonly Reading<Value>[]>;

/** Reads a whole text, which comes in small chunks. */
export async function readAll<Value>(
  read: Read<Value>,
  text: string,
  options: Omit<ReadOptions, 'notes'> = {},
): Promise<Result<Value>> {
  const notes: ImportNotes = createImportNotes();
  const parts = await Array.fromAsync(read(cut(text, 7), { ...options, notes }));
  const readings = parts.flat() as readonly Reading<Value>[];
  return {
    values: readings.flatMap((reading) => ('issue' in reading ? [] : [reading.value])),
    issues: readings.flatMap((reading) => ('issue' in reading ? [reading.issue] : [])),
    warnings: Object.fromEntries(
      notes.toWarnings().map(({ code, questions }) => [code, questions]),
    ),
  };
}

async function* cut(text: string, size: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
}
