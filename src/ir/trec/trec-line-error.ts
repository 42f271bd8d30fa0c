/** A line of a TREC file that cannot be read, or a value that such a line cannot hold. The message is for people. */
export class TrecLineError extends Error {
  override readonly name = 'TrecLineError';
}

/** The value as a message may show it: its first 40 characters. */
export function quote(value: string): string {
  return value.length <= 40 ? `'${value}'` : `'${value.slice(0, 40).toWellFormed()}…'`;
}
