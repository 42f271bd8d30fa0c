import process from 'node:process';

import { CommanderError } from 'commander';

import { exitCodes } from './exit-codes.ts';
import { ignoreClosedPipes } from './output/closed-pipes.ts';
import { createProgram } from './program.ts';
import { reportError } from './report-error.ts';

ignoreClosedPipes();
const interruption = listenForInterruption();
try {
  await createProgram(interruption).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.wrongInput;
  } else if (interruption.aborted) {
    process.exitCode = exitCodes.interrupted;
  } else {
    const { message, exitCode } = reportError(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = exitCode;
  }
}

/** The first signal ends the work in good order, the second one at once. */
function listenForInterruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(exitCodes.interrupted);
      controller.abort(new Error('interrupted'));
    });
  }
  return controller.signal;
}
