import { z } from 'zod';

import type { CorpusDocument } from '../storage/catalog/corpora.ts';
import { queryIntOr } from './query-numbers.ts';
import {
  FormatQuery,
  Id,
  Name,
  nonEmptyText,
  pageOf,
  patientList,
  text,
  Timestamp,
} from './vocabulary.ts';

const Metadata = z
  .record(nonEmptyText(256), z.array(text(1024)).max(100))
  .meta({ example: { company_code: ['1000'] } });

const DocumentFields = {
  id: Id,
  title: text(1000),
  metadata: Metadata.optional(),
  version: text(256).optional(),
};

/** A document with its paragraphs, or with one text. */
export const DocumentInput = z
  .strictObject({
    ...DocumentFields,
    paragraphs: z.array(text(100_000)).min(1).max(10_000).optional(),
    text: text(1_000_000).optional(),
    chunkMetadata: z
      .array(Metadata)
      .max(10_000)
      .optional()
      .meta({ description: 'Metadata of each paragraph, in the same order.' }),
  })
  .superRefine((document, context) => {
    if ((document.paragraphs === undefined) === (document.text === undefined)) {
      const message = 'a document has either "paragraphs" or "text"';
      context.addIssue({ code: 'custom', path: ['paragraphs'], message });
    }
    const paragraphs = document.paragraphs?.length ?? 1;
    if (document.chunkMetadata && document.chunkMetadata.length !== paragraphs) {
      const message = `must have one entry for each of the ${paragraphs} paragraphs`;
      context.addIssue({ code: 'custom', path: ['chunkMetadata'], message });
    }
  })
  .meta({
    id: 'Document',
    example: {
      id: 'D07',
      title: 'Quantity differences',
      paragraphs: ['The supplier delivered less than it billed.'],
      metadata: { company_code: ['1000'] },
      version: '3',
    },
  });
export type DocumentInput = z.infer<typeof DocumentInput>;

export const LexiconInput = z
  .strictObject({
    stopwords: z.array(nonEmptyText(100)).max(10_000),
    concepts: z.record(nonEmptyText(100), z.array(nonEmptyText(100)).max(1000)),
  })
  .meta({
    id: 'Lexicon',
    example: { stopwords: ['the'], concepts: { blocked: ['blocked', 'held', 'stuck'] } },
  });

export const CorpusInput = z
  .strictObject({
    documents: patientList(DocumentInput, { most: 1_000_000, component: 'Document' }),
    lexicon: LexiconInput.optional(),
  }, { error: describeCorpus })
  .meta({ id: 'CorpusInput' });
export type CorpusInput = z.infer<typeof CorpusInput>;

/** Undefined: another issue has a message of its own. */
function describeCorpus({ code, input }: { readonly code?: string; readonly input?: unknown }) {
  if (code !== 'invalid_type' || input === null) return undefined;
  return 'must be an object with "documents", for example {"documents":[{"id":"D07","title":"Pump","text":"It leaks."}]}';
}

export const CorpusSummary = z
  .object({
    name: Name,
    contentHash: z.string(),
    documents: z.int().min(0),
    updatedAt: Timestamp,
  })
  .meta({ id: 'CorpusSummary' });

const windowSize = { least: 1, most: 10_000 };

/** Words of a passage of the chunking `fixed`. */
export const WindowSize = z.int().min(windowSize.least).max(windowSize.most);

export const CorpusQuery = FormatQuery.extend({
  passages: z.enum(['true', 'false']).optional().meta({
    description: 'Whether to count the passages of each chunking; JSON only.',
  }),
  size: queryIntOr(12, windowSize).meta({
    description: 'Words per passage of `fixed`, for `passages`.',
    example: 12,
  }),
});

const PassageCounts = z
  .object({
    whole: z.int(),
    sections: z.int(),
    fixed: z.object({ size: z.int(), passages: z.int() }),
  })
  .meta({ id: 'PassageCounts' });

export const CorpusDetail = z
  .object({
    name: Name,
    contentHash: z.string(),
    updatedAt: Timestamp,
    passages: PassageCounts.optional().meta({
      description: 'With `passages=true`: the number of passages of each chunking.',
    }),
    lexicon: LexiconInput.nullable(),
    documents: z.array(DocumentInput),
  })
  .meta({ id: 'Corpus' });
export type CorpusDetail = z.infer<typeof CorpusDetail>;

export const CorpusPage = pageOf(CorpusSummary, 'CorpusPage');

/** A document as the local backend indexes it: one text is one paragraph. */
export function toDocument(input: DocumentInput): CorpusDocument {
  const { text: onlyText, paragraphs = [onlyText ?? ''], ...fields } = input;
  return { ...fields, paragraphs };
}
