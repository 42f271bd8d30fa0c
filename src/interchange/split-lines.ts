import { InterchangeError } from '../ir/interchange/interchange-error.ts';

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** Longest line that is read, in characters: longer ones are no entry of any format here. */
const maxLineLength = 4 * 1024 * 1024;

/** A line that no format has. */
export class LineTooLongError extends InterchangeError {
  constructor(line: number) {
    super(`is longer than ${maxLineLength} characters`, { line });
  }
}

/** Splits a text that comes in chunks at its line feeds. A carriage return before one stays. */
export async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<Line> {
  for await (const lines of splitLineBatches(texts)) yield* lines;
}

/** As `splitLines`, with the lines that end in one chunk together: a step of an async generator costs more than a line. */
export async function* splitLineBatches(
  texts: AsyncIterable<string>,
): AsyncGenerator<readonly Line[]> {
  let pending = '';
  let number = 0;
  for await (const text of texts) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      number += 1;
      lines.push({ text: pending + text.slice(start, end), number });
      pending = '';
      start = end + 1;
    }
    pending += text.slice(start);
    if (lines.length > 0) yield lines;
    if (pending.length > maxLineLength) throw new LineTooLongError(number + 1);
  }
  if (pending !== '') yield [{ text: pending, number: number + 1 }];
}

/** The start of a text, at least `length` characters where it has so many, and the text from its start. */
export async function peekText(
  texts: AsyncIterable<string>,
  length = 65_536,
): Promise<{ readonly head: string; readonly texts: AsyncIterable<string> }> {
  const iterator = texts[Symbol.asyncIterator]();
  let head = '';
  let isOver = false;
  while (head.length < length && !isOver) {
    const next = await iterator.next();
    if (next.done === true) isOver = true;
    else head += next.value;
  }
  async function* whole(): AsyncGenerator<string> {
    yield head;
    if (!isOver) yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head, texts: whole() };
}

/** A text that comes in chunks, as one. */
export async function joinText(texts: AsyncIterable<string>): Promise<string> {
  const parts: string[] = [];
  for await (const text of texts) parts.push(text);
  return parts.join('');
}
