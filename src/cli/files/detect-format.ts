/** The forms of text that qrels, runs and questions come in. */
export type FileFormat = 'trec' | 'csv' | 'tsv' | 'json' | 'jsonl';

const byExtension: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
};

/** The format of a file by its extension, or by its first line where the extension does not say. */
export function detectFormat(path: string, head: Uint8Array): FileFormat {
  const extension = /\.([a-z]+)(?:\.gz)?$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  const known = byExtension[extension];
  const start = new TextDecoder()
    .decode(head.subarray(0, 4096))
    .replace(/^\uFEFF/, '')
    .trimStart();
  const [line = ''] = start.split(/\r?\n/, 1);
  if (known === 'json') return isObjectLine(line) && hasSecondObject(start) ? 'jsonl' : 'json';
  if (known !== undefined) return known;
  if (start.startsWith('{') || start.startsWith('[')) {
    return isObjectLine(line) && hasSecondObject(start) ? 'jsonl' : 'json';
  }
  if (/^[\w-]+(,[\w-]+)+$/.test(line)) return 'csv';
  // BEIR's qrels begin with a header.
  return /^[a-z][\w-]*-id\t/i.test(line) ? 'tsv' : 'trec';
}

/** Whether a line is a JSON object on its own. */
function isObjectLine(line: string): boolean {
  return line.startsWith('{') && line.trimEnd().endsWith('}');
}

function hasSecondObject(start: string): boolean {
  return /\}\s*\r?\n\s*\{/.test(start);
}
