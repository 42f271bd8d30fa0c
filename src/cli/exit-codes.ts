/** What the end of the program tells a pipeline. Fixed: pipelines are written against it. */
export const exitCodes = {
  done: 0,
  gateFailed: 1,
  gateInconclusive: 2,
  wrongInput: 3,
  notReached: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An end that the caller can do something about: its message is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.wrongInput, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}
