export function print(line: string): void {
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
