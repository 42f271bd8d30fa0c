import { AppError, type InputError } from '../errors.ts';
import { TrecLineError } from '../ir/trec/trec-line-error.ts';
import { CommandError, exitCodes, type ExitCode } from './exit-codes.ts';

/** What went wrong, in words for the caller, and the code that the program ends with. */
export interface ReportedError {
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** Anything that is not listed here is a bug, and shows its stack trace. */
export function reportError(error: unknown): ReportedError {
  if (error instanceof CommandError) return error;
  if (error instanceof AppError) {
    return { message: tellAppError(error), exitCode: codeOf(error) };
  }
  if (error instanceof TrecLineError || isSystemError(error)) {
    return { message: error.message, exitCode: exitCodes.wrongInput };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message: `Internal error: ${stack}`, exitCode: exitCodes.notReached };
}

function codeOf({ code }: AppError): ExitCode {
  return code === 'unavailable' ? exitCodes.notReached : exitCodes.wrongInput;
}

function tellAppError({ message, details }: AppError): string {
  const errors = (details['errors'] ?? []) as readonly InputError[];
  return errors.length > 0 ? errors.map(({ detail }) => detail).join('\n') : message;
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}
