import { z } from 'zod';

import { Grade, Id } from './vocabulary.ts';

/** Qrels as ranx writes them. */
export const QrelsInput = z
  .record(Id, z.record(Id, Grade))
  .refine((qrels) => Object.keys(qrels).length > 0, 'holds no entry')
  .meta({
    id: 'Qrels',
    description: 'Grade by document id by question id, as ranx writes qrels.',
    example: { q06: { D07: 2, D03: 0 } },
  });
export type QrelsInput = z.infer<typeof QrelsInput>;
