/** Columns as wide as their widest cell; the first one to the left, numbers to the right. Ends with a line feed. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { left = [0] }: { readonly left?: readonly number[] } = {},
): string {
  // A row at a time: a spread of all cells would not fit on the stack where there are many.
  const widths = header.map(({ length }) => length);
  for (const row of rows) {
    for (const [column, { length }] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, length);
    }
  }
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return left.includes(column) ? cell.padEnd(width) : cell.padStart(width);
  };
  const line = (cells: readonly string[]) => `${cells.map(pad).join('  ').trimEnd()}\n`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [header, rule, ...rows].map(line).join('');
}
