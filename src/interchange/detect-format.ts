import { InterchangeError } from '../ir/interchange/interchange-error.ts';
import { formsOf, refuseUnknownForm, type FileKind, type TextForm } from './formats.ts';
import { findDelimiter, hasHeader } from './table-columns.ts';

/** What is known of a file besides its content. */
export interface FormatHints {
  /** What its sender calls it; decides wherever the content allows. */
  readonly format?: string | undefined;
  readonly mediaType?: string | undefined;
  /** A name or path; a final `.gz` does not count. */
  readonly fileName?: string | undefined;
}

/**
 * Finds how a file is cut up from its start, without a byte order mark. A named format decides; else JSON and
 * headers are known by their look, and what is left by its columns. Throws an InterchangeError that says
 * which forms are read where none fits.
 */
export function detectFormat(head: string, kind: FileKind, hints: FormatHints = {}): TextForm {
  const allowed = hints.format === undefined ? undefined : formsOf(hints.format, kind);
  const [only, ...others] = allowed ?? [];
  if (only && others.length === 0) return only;
  // Text that is said to be JSON is never taken for questions, one a line.
  if (!allowed && isJsonLines(hints)) return 'ndjson';
  const found = looksLikeJson(head) ? findJsonForm(head, hints) : undefined;
  if (found && (!allowed || allowed.includes(found))) return found;
  if (allowed) return allowed.find((form) => form === 'table') ?? only ?? 'table';
  return findTextForm(head, kind, hints);
}

function looksLikeJson(head: string): boolean {
  return /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]\d]|$))/.test(head);
}

/** Several lines that are each a JSON value, or one in a file that is said to be of such lines. */
function findJsonForm(head: string, hints: FormatHints): TextForm {
  if (isJsonLines(hints)) return 'ndjson';
  const [first = '', second] = head.split('\n').filter((line) => line.trim() !== '');
  return second !== undefined && isObject(first) && /^\s*\{/.test(second) ? 'ndjson' : 'json';
}

function isJsonLines({ mediaType, fileName }: FormatHints): boolean {
  return mediaType === 'application/x-ndjson' || isNamed(fileName, ['jsonl', 'ndjson']);
}

function findTextForm(
  head: string,
  kind: FileKind,
  { mediaType, fileName }: FormatHints,
): TextForm {
  if (hasHeader(head, kind)) return 'table';
  const first = head.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  const isCsv = mediaType === 'text/csv' || isNamed(fileName, ['csv']);
  const isTsv = mediaType === 'text/tab-separated-values' || isNamed(fileName, ['tsv']);
  const tabs = first.split('\t').length;
  if (kind === 'questions') {
    if (tabs === 2) return 'columns';
    if (!isCsv && !isTsv && !looksLikeJson(head)) return 'lines';
    return refuseHeader(head, kind);
  }
  if (isCsv) return refuseHeader(head, kind);
  if (kind === 'judgments' && /^\s*[+-]?[\d.]+\s+qid:\S/.test(first)) return 'ltr';
  if (/^\s*$/.test(first)) return isTsv ? 'table' : 'trec';
  const mostTabs = 3;
  const words = first.trim().split(/\s+/).length;
  if (
    tabs > 1 &&
    tabs <= mostTabs &&
    words === tabs &&
    (kind === 'judgments' || tabs === mostTabs)
  ) {
    return 'columns';
  }
  const trecColumns = kind === 'judgments' ? 4 : 6;
  if (words !== trecColumns && /[,;]/.test(first)) return refuseHeader(head, kind);
  if (isTsv && words !== trecColumns) return refuseHeader(head, kind);
  return 'trec';
}

function refuseHeader(head: string, kind: FileKind): never {
  if (/\r(?!\n)/.test(head) && !head.includes('\n')) {
    const reason = 'the lines end in a carriage return alone; save them with line feeds';
    throw new InterchangeError(reason, { line: 1 });
  }
  const first = head.split('\n', 1)[0]?.trimEnd() ?? '';
  const nearest = findDelimiter(head) === '\t' ? 'tsv' : 'csv';
  const found =
    first === ''
      ? 'the file is empty'
      : 'the first line is not a header with the columns that are needed';
  return refuseUnknownForm(kind, { found, nearest, line: 1 });
}

function isNamed(fileName: string | undefined, extensions: readonly string[]): boolean {
  const extension = fileName?.toLowerCase().replace(/\.gz$/, '').split('.').at(-1) ?? '';
  return extensions.includes(extension);
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
