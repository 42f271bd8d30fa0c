/** Characters of a chunk that a judge is shown. */
const snippetLength = 300;

/** The start of a text, with an ellipsis where it goes on. */
export function toSnippet(text: string): string {
  const isLong = text.length > snippetLength;
  return isLong ? `${text.slice(0, snippetLength - 1).toWellFormed()}…` : text;
}
