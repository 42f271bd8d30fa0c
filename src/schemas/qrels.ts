import { z } from 'zod';

import { Grade, Id } from './vocabulary.ts';

/** Qrels as ranx writes them. */
export const QrelsDetail = z.record(Id, z.record(Id, Grade)).meta({
  id: 'Qrels',
  description: 'Grade by document id by question id, as ranx writes qrels.',
  example: { q06: { D07: 2, D03: 0 } },
});

/** Qrels as JSON of any form. Whoever reads it checks it, because the query says how values become grades. */
export const QrelsInput = z.unknown().meta({ override: { $ref: '#/components/schemas/Qrels' } });
