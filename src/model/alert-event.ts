import { z } from 'zod';

import type { Immutable } from './immutable.ts';

export const alertEventTypes = [
  'evaluation-failed',
  'gate-failed',
  'drift-detected',
  'schedule-missed',
  'schedule-failed',
] as const;
export type AlertEventType = (typeof alertEventTypes)[number];

/** What alert targets are told. The texts leave the service: they name no question, user, judge or document. */
export const AlertEvent = z.object({
  type: z.enum(alertEventTypes),
  /** What the event is about, such as an evaluation's id. Each pair of `type` and `about` is sent once. */
  about: z.string(),
  severity: z.enum(['warning', 'error']),
  /** One line. */
  subject: z.string(),
  detail: z.string(),
  evaluation: z.string().optional(),
  /** The schedule that started the evaluation; looked up by the evaluation when absent. */
  schedule: z.string().optional(),
  /** RFC 3339, UTC. */
  occurredAt: z.string(),
});

export type AlertEvent = Immutable<z.infer<typeof AlertEvent>>;
