/** A text in an interchange format that cannot be read, or a value that the format cannot hold. The message is for people. */
export class InterchangeError extends Error {
  override readonly name = 'InterchangeError';
  /** The message without the line. */
  readonly reason: string;
  /** From 1, where the text as a whole is read. */
  readonly line: number | undefined;
  /** JSON pointer to the place, where the text is one JSON value. */
  readonly pointer: string | undefined;

  constructor(
    reason: string,
    options: { readonly line?: number; readonly pointer?: string; readonly cause?: unknown } = {},
  ) {
    const { line, pointer, cause } = options;
    super(line === undefined ? reason : `line ${line}: ${reason}`, { cause });
    this.reason = reason;
    this.line = line;
    this.pointer = pointer;
  }
}
