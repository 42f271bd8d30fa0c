/** Parses JSON. Returns undefined where the text is not JSON: the parser's message quotes the text, which may hold secrets. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
