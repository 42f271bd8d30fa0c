import process from 'node:process';

/**
 * Lets the reader of the output go away, as `head` does: what is written from then on is dropped, and the program ends
 * with the code that it would have had.
 */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
