import type { CommonOptions } from './common-options.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Output } from './output/output.ts';

/** What a command works with. */
export interface CommandContext<Options extends CommonOptions = CommonOptions> {
  readonly options: Options;
  readonly output: Output;
  /** Aborts when the program is interrupted. */
  readonly signal: AbortSignal;
}

export type CommandEnd = Promise<ExitCode>;

/** Runs a command with what it works with. */
export type RunCommand = <Options extends CommonOptions>(
  options: Options,
  command: (context: CommandContext<Options>) => CommandEnd,
) => Promise<void>;
