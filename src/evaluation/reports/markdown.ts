/** A table with its first column to the left and the others to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const rule = header.map((_column, index) => (index === 0 ? '---' : '---:'));
  return [tableLine(header), tableLine(rule), ...rows.map(tableLine)];
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/**
 * Escapes a name, label or text so that a Markdown reader shows it as it is: no markup, no HTML, no entity, and
 * none of the automatic links, mentions and emoji of GitHub Flavored Markdown. The result stays on one line.
 */
export function escape(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]<>|#~&@$]/g, String.raw`\$&`)
    .replaceAll(/:(?=\S)/g, String.raw`\:`)
    .replaceAll(/(?<=www)\./gi, String.raw`\.`)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replace(/^ ?(?:[-+=]|\d+(?=[.)]))/, escapeBlockMarker);
}

/** A list, a numbered list or a heading starts with such a text. The backslash must precede a punctuation mark. */
function escapeBlockMarker(marker: string): string {
  const mark = marker.trimStart();
  return /\d/.test(mark) ? `${mark}\\` : `\\${mark}`;
}
