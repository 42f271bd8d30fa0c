/** Columns as wide as their widest cell; the first one to the left, numbers to the right. Ends with a line feed. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { left = [0] }: { readonly left?: readonly number[] } = {},
): string {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return left.includes(column) ? cell.padEnd(width) : cell.padStart(width);
  };
  const line = (cells: readonly string[]) => `${cells.map(pad).join('  ').trimEnd()}\n`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [header, rule, ...rows].map(line).join('');
}
