import { checkId } from '../../ir/interchange/check-id.ts';
import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import { type CollectionEntry, joinLines } from './collection-entry.ts';

export function isSmart(text: string): boolean {
  return /^\s*\.I[ \t]+\S/.test(text);
}

/**
 * Reads documents or topics in the form of SMART: `.I` starts an entry, `.T` its title, `.W` its text. Other sections
 * (authors, source, references) are not read.
 */
export function readSmart(text: string): readonly CollectionEntry[] {
  const entries: { id: string; sections: Map<string, string[]> }[] = [];
  let section: string[] | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, name, id = ''] = /^\.([A-Z])(?:[ \t]+(\S+))?[ \t]*$/.exec(line) ?? [];
    const current = entries.at(-1);
    if (name === 'I') {
      entries.push({ id: readEntryId(id, index + 1), sections: new Map() });
      section = undefined;
    } else if (name !== undefined && current) {
      section = current.sections.get(name) ?? [];
      current.sections.set(name, section);
    } else if (section) section.push(line);
    else if (line.trim() !== '') {
      throw new InterchangeError('stands before the first section (.T or .W)', { line: index + 1 });
    }
  }
  return entries.map(({ id, sections }) => ({
    id,
    title: joinLines((sections.get('T') ?? []).join('\n')),
    text: joinLines((sections.get('W') ?? []).join('\n')),
  }));
}

function readEntryId(id: string, line: number): string {
  if (id === '') throw new InterchangeError('.I has no number', { line });
  return checkId(id, 'id');
}
