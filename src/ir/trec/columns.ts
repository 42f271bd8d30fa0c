import { TrecLineError } from './trec-line-error.ts';

export interface LineOptions {
  /** Drops a byte order mark: for the first line of a file only. */
  readonly stripBom?: boolean;
  /** Reads a grade in place of whole numbers. Throws for one that it does not take. */
  readonly readGrade?: (text: string) => number;
}

export const byteOrderMark = '\uFEFF';

/**
 * The columns of a line, separated as C's `isspace` does (blank, tab, CR, LF, VT, FF): other white space
 * of Unicode belongs to an id, as for trec_eval. Empty for a blank line.
 */
export function splitColumns(line: string, { stripBom = false }: LineOptions = {}): string[] {
  const text = stripBom && line.startsWith(byteOrderMark) ? line.slice(1) : line;
  const columns: string[] = [];
  let start = -1;
  for (let index = 0; index <= text.length; index += 1) {
    const isOutside = index === text.length || isSpace(text.charCodeAt(index));
    if (!isOutside && start === -1) start = index;
    if (!isOutside || start === -1) continue;
    columns.push(text.slice(start, index));
    start = -1;
  }
  return columns;
}

/**
 * Whether the line is a comment, as trec_eval 10.0 takes every line that starts with `#`. One that would
 * be a whole entry otherwise is refused: trec_eval 9 counts it, and a question must not go missing unsaid.
 */
export function isComment(columns: readonly string[], readsAsEntry: () => boolean): boolean {
  if (columns[0]?.startsWith('#') !== true) return false;
  if (!readsAsEntry()) return true;
  throw new TrecLineError(
    "a line that starts with # is a comment, but this one reads as an entry: a question id cannot start with '#'",
  );
}

/** Refuses a wrong number of columns, and a question id that a byte order mark has got into. */
export function checkColumns(columns: readonly string[], names: string): void {
  const wanted = names.split(' ').length;
  if (columns.length !== wanted) {
    throw new TrecLineError(`${columns.length} columns instead of ${wanted} (${names})`);
  }
  if (columns[0]?.startsWith(byteOrderMark) === true) {
    throw new TrecLineError('the question id starts with a byte order mark');
  }
}

/** Whether C's `isspace` holds for the character code. */
export function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
