/** A message did not arrive. The text is stored and shown: it holds no secret and nothing of the answer but its status. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  /** Trying again cannot help. */
  readonly isFinal: boolean;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly isFinal?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.isFinal = options.isFinal ?? false;
  }
}
