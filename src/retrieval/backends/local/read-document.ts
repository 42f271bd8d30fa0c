import type { Passage } from '../../retriever.ts';
import { type Bitmap, hasBit } from './bitmap.ts';
import { splitDocument } from './chunking.ts';
import type { LocalDocument } from './local-document.ts';
import type { LocalIndex } from './local-index.ts';

/** The title and the chunks of a document that filters let pass, in their order, joined by spaces. */
export function readDocument(
  { documents, firstChunks, chunking }: LocalIndex,
  number: number,
  allowed: Bitmap | undefined,
): Passage {
  const document = documents[number] as LocalDocument;
  const first = firstChunks[number] as number;
  const texts: string[] = [];
  let chunk = first;
  for (const { text } of splitDocument(document, chunking)) {
    if (!allowed || hasBit(allowed, chunk)) texts.push(text);
    chunk += 1;
  }
  return { title: document.title, text: texts.join(' ') };
}
