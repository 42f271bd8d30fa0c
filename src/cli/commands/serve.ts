import process from 'node:process';

import type { CommandEnd } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';

/** Starts the service, which then ends the process by itself when it is told to stop. */
export async function serve(): CommandEnd {
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
  await import('../../server.ts');
  const hasStarted = process.exitCode === undefined || process.exitCode === 0;
  return hasStarted ? exitCodes.done : exitCodes.wrongInput;
}
