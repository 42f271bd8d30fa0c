import { z } from 'zod';

import type { Immutable } from './immutable.ts';

/** The one update that a run of the Job Scheduling Service gets. */
export const JobRunUpdate = z.object({
  jobId: z.string(),
  scheduleId: z.string(),
  runId: z.string(),
  success: z.boolean(),
  message: z.string(),
});

export type JobRunUpdate = Immutable<z.infer<typeof JobRunUpdate>>;
