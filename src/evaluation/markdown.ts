/** A table with its first column to the left and the others to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const rule = header.map((_column, index) => (index === 0 ? '---' : '---:'));
  return [tableLine(header), tableLine(rule), ...rows.map(tableLine)];
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Keeps names and labels from being read as Markdown or HTML. */
export function escape(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>|#]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ');
}
