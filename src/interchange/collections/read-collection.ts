import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import type { CollectionEntry } from './collection-entry.ts';
import { isSmart, readSmart } from './smart.ts';
import { isTrecSgml, readTrecSgml } from './trec-sgml.ts';

/** Reads the documents or topics of a test collection as it is published. Throws at the first line that it cannot read. */
export function readCollection(text: string): readonly CollectionEntry[] {
  const entries = readEntries(text);
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (seen.has(id)) throw new InterchangeError(`'${id}' is there twice`);
    seen.add(id);
  }
  return entries;
}

function readEntries(text: string): readonly CollectionEntry[] {
  if (isSmart(text)) return readSmart(text);
  if (isTrecSgml(text)) return readTrecSgml(text);
  const forms = 'SMART (.I, .T, .W) or TREC (<DOC>, <top>)';
  throw new InterchangeError(`is neither of the forms of test collections: ${forms}`, { line: 1 });
}
