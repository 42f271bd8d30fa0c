import { readFileSync, rmSync } from 'node:fs';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

/** The longest pauses of the service's event loop since it was asked last, as `loop-watch.ts` writes them. */
export async function askForPause(
  processId: number,
  file: string,
): Promise<{ readonly wall: number; readonly own: number }> {
  rmSync(file, { force: true });
  process.kill(processId, 'SIGUSR2');
  for (;;) {
    await setTimeout(20);
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as { wall: number; own: number };
    } catch {
      // Not written yet.
    }
  }
}
