import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import type { CollectionEntry } from '../../interchange/collections/collection-entry.ts';
import { readCollection } from '../../interchange/collections/read-collection.ts';
import { CommandError } from '../exit-codes.ts';
import { readText, type InputFile } from '../files/input-file.ts';
import { writeResultFile } from '../output/output.ts';

export type CollectionKind = 'documents' | 'topics';

/** Writes the documents or topics of a test collection as lines of JSON that a corpus or a question set is made of. */
export async function convertCollection(
  file: InputFile,
  to: string,
  kind: CollectionKind,
): Promise<void> {
  if (!/\.(ndjson|jsonl)$/i.test(to)) {
    throw new CommandError(`${to}: ${kind} are written as .ndjson or .jsonl`);
  }
  const text = await readText(file);
  const entries = read(file.name, text);
  const toLine = kind === 'documents' ? toDocument : toQuestion;
  await writeResultFile(to, entries.map((entry) => `${JSON.stringify(toLine(entry))}\n`).join(''));
}

function read(name: string, text: string): readonly CollectionEntry[] {
  try {
    return readCollection(text);
  } catch (cause) {
    if (!(cause instanceof InterchangeError)) throw cause;
    throw new CommandError(`${name}: ${cause.message}`, undefined, cause);
  }
}

function toDocument({ id, title, text }: CollectionEntry): object {
  return { id, title, paragraphs: [text] };
}

function toQuestion({ id, text }: CollectionEntry): object {
  return { id, text };
}
