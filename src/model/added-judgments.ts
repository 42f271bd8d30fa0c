import { z } from 'zod';

import type { Immutable } from './immutable.ts';
import { StoredWarning } from './warnings.ts';

/** What adding judgments to a question set did. */
export const AddedJudgments = z.object({
  name: z.string(),
  version: z.number(),
  added: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  /** About questions that have no relevant document any more. */
  warnings: z.array(StoredWarning.required({ severity: true })),
});

export type AddedJudgments = Immutable<z.infer<typeof AddedJudgments>>;
