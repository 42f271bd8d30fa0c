export const evaluationStatuses = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export type EvaluationStatus = (typeof evaluationStatuses)[number];

/** Of those whose work is still to be done. */
export const unfinishedStatuses: readonly EvaluationStatus[] = ['queued', 'running'];
