/** Characters of a chunk that a judge is shown. */
const snippetLength = 300;

/** The start of a text, with an ellipsis if it is cut. */
export function toSnippet(text: string): string {
  const isLong = text.length > snippetLength;
  return isLong ? `${text.slice(0, snippetLength - 1).toWellFormed()}…` : text;
}
