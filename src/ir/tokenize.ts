/**
 * The tokens of a text, in order: runs of letters, marks and digits of any script, joined by single
 * hyphens or slashes, in lower case and composed (NFC), so that a word has one form however it was typed.
 */
export function tokenize(text: string): readonly string[] {
  const normalized = normalizeWord(text);
  return normalized.match(isAscii(normalized) ? asciiToken : token) ?? [];
}

/** A word in the form that its token has. */
export function normalizeWord(word: string): string {
  return word.normalize('NFC').toLowerCase();
}

/** Cuts a long text where no token can be, so that no single step of reading it takes long. */
export function* cutAtWhitespace(text: string, length = 16_384): Iterable<string> {
  let start = 0;
  while (text.length - start > length) {
    whitespace.lastIndex = start + length;
    const end = whitespace.exec(text)?.index ?? text.length;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

const token = /[\p{L}\p{M}\p{N}]+(?:[-/][\p{L}\p{M}\p{N}]+)*/gu;
// The same tokens for text in ASCII, found several times as fast.
const asciiToken = /[a-z0-9]+(?:[-/][a-z0-9]+)*/g;
const whitespace = /\s/g;

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the range is what ASCII is.
  return /^[\x00-\x7f]*$/.test(text);
}
