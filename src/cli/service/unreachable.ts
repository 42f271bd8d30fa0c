import { CommandError, exitCodes } from '../exit-codes.ts';

/** Says why an address did not answer, without the words of the HTTP client, which wraps the reason. */
export function unreachable(url: string, cause: unknown): CommandError {
  const inner = cause instanceof Error ? innermost(cause) : undefined;
  const reason = inner ? inner.message || inner.name : String(cause);
  const message = `${new URL(url).origin} cannot be reached: ${reason}`;
  return new CommandError(message, exitCodes.notReached, cause);
}

function innermost(error: Error): Error {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
