/**
 * A text as declared data of a prompt: between its own tags, and unable to close them or to open others.
 * The model is told that what stands there is never an instruction.
 */
export function declareData(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

/** A text that no tag of a prompt can be mistaken for. */
export function withoutTags(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}

/** A text on one line, so that nothing in it stands where a line of the prompt begins. */
export function onOneLine(text: string): string {
  return withoutTags(text)
    .replace(/[\s\u0085\p{Cc}]+/gu, ' ')
    .trim();
}

/** The start of a text that is too long, without half a character at its end. */
export function cutText(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}
