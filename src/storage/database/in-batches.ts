import { setImmediate } from 'node:timers/promises';

/** Few enough rows for either database's limit on bound values, at up to 30 columns. */
const rowsPerStatement = 500;

/** Runs `write` for slices of `rows` in order, and lets other work of the process run between them. */
export async function inBatches<Row>(
  rows: readonly Row[],
  write: (batch: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    await write(rows.slice(start, start + rowsPerStatement));
    await setImmediate();
  }
}
