import { parseBeirDocument, type BeirDocument } from '../../ir/interchange/beir-jsonl.ts';
import { InterchangeError } from '../../ir/interchange/interchange-error.ts';
import { DocumentInput } from '../../schemas/corpus.ts';
import { readEntryLines } from './entry-lines.ts';
import type { Line } from '../../interchange/split-lines.ts';
import type { Entry } from './line-body.ts';

/** Reads `corpus.jsonl` of BEIR. Metadata become lists of text; what is nested deeper is refused. */
export function readBeirDocuments(
  lines: AsyncIterable<Line>,
): AsyncGenerator<Entry<DocumentInput>> {
  return readEntryLines(lines, { parse: parseDocument, schema: DocumentInput });
}

function parseDocument(line: string): DocumentInput | undefined {
  const document = parseBeirDocument(line);
  return document && toDocumentInput(document);
}

function toDocumentInput({ documentId, title, text, metadata }: BeirDocument): DocumentInput {
  const entries = Object.entries(metadata ?? {}).map(
    ([key, value]) => [key, toValues(key, value)] as const,
  );
  const kept = entries.filter(([, values]) => values.length > 0);
  return {
    id: documentId,
    title,
    text,
    ...(kept.length > 0 && { metadata: Object.fromEntries(kept) }),
  };
}

function toValues(key: string, value: unknown): string[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    if (typeof item === 'string') return item;
    if (typeof item === 'number' || typeof item === 'boolean') return String(item);
    throw new InterchangeError(`the metadata field '${key}' is neither a text nor a list of texts`);
  });
}
