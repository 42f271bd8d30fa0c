/** A text in an interchange format that cannot be read, or a value that the format cannot hold. The message is for people. */
export class InterchangeError extends Error {
  override readonly name = 'InterchangeError';
}
