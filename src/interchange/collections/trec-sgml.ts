import { checkId } from '../../ir/interchange/check-id.ts';
import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import { type CollectionEntry, joinLines } from './collection-entry.ts';

export function isTrecSgml(text: string): boolean {
  return /^\s*<(?:doc|top)>/i.test(text);
}

/**
 * Reads documents (`<DOC>` with `<DOCNO>`) or topics (`<top>` with `<num>`, whose tags have no ends) of TREC. The title
 * of a topic is its text, as searches of topics use it; of a document, all that is outside `<DOCNO>` and the title.
 */
export function readTrecSgml(text: string): readonly CollectionEntry[] {
  const entries: CollectionEntry[] = [];
  let end = 0;
  for (const match of text.matchAll(/<(doc|top)>([\s\S]*?)<\/\1>/gi)) {
    failOnText(text, end, match.index);
    end = match.index + match[0].length;
    const [, tag = '', content = ''] = match;
    const line = () => lineOf(text, match.index);
    entries.push(
      tag.toLowerCase() === 'top' ? readTopic(content, line) : readDocument(content, line),
    );
  }
  failOnText(text, end, text.length);
  return entries;
}

function readDocument(content: string, line: () => number): CollectionEntry {
  const id = findElement(content, 'docno');
  if (!id) throw new InterchangeError('has no <DOCNO>', { line: line() });
  const title = findElement(content, 'title') ?? findElement(content, 'headline') ?? '';
  const rest = content.replace(/<(docno|docid|title|headline)>[\s\S]*?<\/\1>/gi, ' ');
  return { id: checkId(joinLines(id), 'id'), title: toText(title), text: toText(rest) };
}

function readTopic(content: string, line: () => number): CollectionEntry {
  const number = /<num>\s*(?:number:)?\s*([^\s<]+)/i.exec(content)?.[1];
  const title = /<title>\s*(?:topic:)?([^<]*)/i.exec(content)?.[1];
  if (number === undefined) throw new InterchangeError('has no <num>', { line: line() });
  if (title === undefined) throw new InterchangeError('has no <title>', { line: line() });
  return { id: checkId(number, 'id'), title: '', text: toText(title) };
}

function findElement(content: string, name: string): string | undefined {
  return new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'i').exec(content)?.[1];
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Without tags. A `<` that starts none stays. */
function toText(content: string): string {
  const plain = content
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole);
  return joinLines(plain);
}

function failOnText(text: string, start: number, end: number): void {
  const between = text.slice(start, end);
  const offset = between.search(/\S/);
  if (offset === -1) return;
  throw new InterchangeError('is outside every <DOC> and <top>', {
    line: lineOf(text, start + offset),
  });
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
