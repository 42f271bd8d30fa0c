import { z } from 'zod';

import { AppError } from '../errors.ts';
import { findCronIssue, isTimeZone } from '../evaluation/monitoring/cron-ticks.ts';
import type { EvaluationRequest } from '../model/evaluation-request.ts';
import { tickStatuses, type ScheduleTick } from '../storage/monitoring/schedule-ticks.ts';
import { parseScheduledRequest, type StoredSchedule } from '../storage/monitoring/schedules.ts';
import { tryParseJson } from '../try-parse-json.ts';
import { EvaluationInput } from './evaluation-input.ts';
import { Name, pageOf, text, Timestamp } from './vocabulary.ts';

const Cron = text(200)
  .superRefine((cron, context) => {
    const message = findCronIssue(cron);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description:
      'Five fields: minute, hour, day of month, month, day of week. Macros such as @daily are accepted.',
    example: '15 2 * * *',
  });

const TimeZone = text(64)
  .refine(isTimeZone, 'is not the name of a time zone')
  .meta({ description: 'An IANA time zone.', example: 'Europe/Berlin' });

export const ScheduleInput = z
  .strictObject({
    cron: Cron,
    timeZone: TimeZone,
    evaluation: EvaluationInput,
    enabled: z.boolean().default(true),
    notify: z.array(Name).max(20).optional().meta({
      description:
        'The alert targets to notify about this schedule and its evaluations. Absent: all; empty: none.',
    }),
  })
  .meta({
    id: 'ScheduleInput',
    example: {
      cron: '15 2 * * *',
      timeZone: 'Europe/Berlin',
      evaluation: { questionSet: 'sample', configurations: ['hybrid'], label: 'nightly' },
    },
  });

/**
 * Reads the evaluation that a schedule stored, possibly under an earlier release: what it lacks gets its default.
 * Throws an AppError that names the places which this release does not take.
 */
export function readScheduledRequest(stored: string): EvaluationRequest {
  const request = tryParseJson(stored);
  if (request === undefined) {
    throw new AppError('broken-row', 'The stored evaluation cannot be read; replace the schedule');
  }
  const parsed = EvaluationInput.safeParse(request);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, maxNamedIssues);
  const places = issues.map(({ path, message }) => `/evaluation/${path.join('/')}: ${message}`);
  const detail = `This release does not accept the stored evaluation; replace the schedule: ${places.join('; ')}`;
  throw new AppError('invalid-input', detail);
}

const maxNamedIssues = 5;

const Tick = z
  .object({
    tick: Timestamp,
    status: z.enum(tickStatuses).meta({
      description:
        '`due`: the evaluation is being created; `started`: it was created; `failed`: it could not be created; `missed`: no process was running.',
    }),
    evaluation: z.string().nullable().meta({ description: 'The id of the evaluation.' }),
    error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  })
  .meta({ id: 'ScheduleTick' });

export const ScheduleDetail = z
  .object({
    name: Name,
    cron: z.string(),
    timeZone: z.string(),
    evaluation: z.looseObject({}),
    enabled: z.boolean(),
    notify: z.array(z.string()).nullable(),
    nextRun: Timestamp.nullable().meta({ description: 'null: the schedule is disabled.' }),
    lastRuns: z.array(Tick).meta({ description: 'The latest ten, newest first.' }),
    updatedAt: Timestamp,
  })
  .meta({ id: 'Schedule' });
export const SchedulePage = pageOf(ScheduleDetail, 'SchedulePage');

export function toScheduleDetail(
  schedule: StoredSchedule,
  ticks: readonly ScheduleTick[],
): z.infer<typeof ScheduleDetail> {
  const { name, cron, timeZone, isEnabled: enabled, notify, nextAt, updatedAt } = schedule;
  return {
    name,
    cron,
    timeZone,
    evaluation: parseScheduledRequest(schedule),
    enabled,
    notify: notify && [...notify],
    nextRun: nextAt,
    lastRuns: ticks.map(({ tickAt, status, evaluationId, error }) => ({
      tick: tickAt,
      status,
      evaluation: evaluationId,
      error,
    })),
    updatedAt,
  };
}
