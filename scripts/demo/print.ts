/** Thrown by `print` after the reader of the output went away, so that everything that is open is closed. */
class OutputClosedError extends Error {
  override readonly name = 'OutputClosedError';
}

let isClosed = false;

/**
 * Runs a script whose output may be read in part, as by `npm run demo | head -3`. When the reader has gone, the
 * script goes on without output until it prints again, then ends without an error. Other errors are thrown.
 */
export async function runForReader(script: () => Promise<void> | void): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      isClosed = true;
    });
  }
  try {
    await script();
  } catch (error) {
    if (!(error instanceof OutputClosedError)) throw error;
  }
}

/** Throws after the reader went away in a script that `runForReader` runs. */
export function print(line: string): void {
  if (isClosed) throw new OutputClosedError('The reader of the output has gone');
  process.stdout.write(`${line}\n`);
}

/** Columns as wide as their widest cell; numbers to the right, the first column to the left. */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  align: 'right' | 'left' = 'right',
): void {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return align === 'left' || column === 0 ? cell.padEnd(width) : cell.padStart(width);
  };
  const line = (cells: readonly string[]) => print(`  ${cells.map(pad).join('  ').trimEnd()}`);
  line(header);
  line(widths.map((width) => '-'.repeat(width)));
  for (const row of rows) line(row);
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 3).trimEnd()}...`;
}
