import { z } from 'zod';

import type { Immutable } from './immutable.ts';

/** Where a chunk's document id is read from. A configuration lists them; the first that gives an id counts. */
export const DocumentIdRule = z.discriminatedUnion('from', [
  z.object({
    from: z.enum(['chunkMetadata', 'documentMetadata']),
    key: z.string(),
    pattern: z.string().optional(),
  }),
  z.object({ from: z.literal('documentId'), pattern: z.string().optional() }),
  z.object({ from: z.literal('chunkId'), pattern: z.string().optional() }),
]);
export type DocumentIdRule = Immutable<z.infer<typeof DocumentIdRule>>;
