import { AppError } from '../errors.ts';
import { createEvaluation } from '../evaluation/planning/create-evaluation.ts';
import { listTicksThrough, nextTick } from '../evaluation/monitoring/cron-ticks.ts';
import type { EvaluationRequest } from '../model/evaluation-request.ts';
import { internalIdempotencyKey } from '../evaluation/monitoring/internal-idempotency-key.ts';
import type { RetrieverRegistry } from '../retrieval/registry.ts';
import type { Database } from '../storage/database/database.ts';
import {
  deleteTicks,
  endAttempt,
  finishTick,
  insertTicks,
  listAbandonedTicks,
  reclaimTick,
  type ScheduleTick,
} from '../storage/monitoring/schedule-ticks.ts';
import { scopeToTenant } from '../storage/database/tenant-scope.ts';
import { isTransientError, retryTransientErrors } from '../storage/database/transient-errors.ts';
import {
  advanceSchedule,
  listDueSchedules,
  type StoredSchedule,
} from '../storage/monitoring/schedules.ts';
import type { EvaluationJobs, JobLog } from './evaluation-jobs.ts';
import { failTick, reportMissed } from './tick-alerts.ts';

export interface SchedulerContext {
  readonly db: Database;
  readonly jobs: EvaluationJobs;
  readonly retrievers: Pick<RetrieverRegistry, 'findObstacle'>;
  /** Reads a stored request with today's defaults. Throws an AppError when this release cannot run it. */
  readonly readRequest: (stored: string) => EvaluationRequest;
  /** RFC 3339, UTC. */
  readonly now: () => string;
  readonly createId: () => string;
  readonly log: JobLog;
}

/** A tick that is older than this is skipped. */
const latestMs = 60 * 60 * 1000;
/** How long an instance has for making a tick's evaluation before others take the tick over. */
const leaseMs = 60 * 1000;
/** How often the evaluation of a tick is begun before the tick is failed. Attempts that the store ended do not count. */
const attemptsAtMost = 3;
/** Missed ticks of one gap that are recorded: the latest ones. */
const maxRecorded = 100;
const keptMs = 90 * 24 * 60 * 60 * 1000;

/**
 * Makes the evaluations of every tick, of all tenants, that is due, each once, however many instances do this at a time:
 * a tick is taken by moving its schedule on and storing its row in one transaction, and its evaluation
 * has an idempotency key of its own. Of several ticks that passed while no instance ran, only the latest
 * is run, if it is younger than an hour; the others are recorded as missed.
 */
export async function runDueTicks(context: SchedulerContext): Promise<void> {
  const { db, log, now } = context;
  const failures: unknown[] = [];
  for (const { tenant, schedule } of await listDueSchedules(db, now())) {
    // One schedule that cannot be run must not hold up the others.
    const own = { ...context, db: scopeToTenant(db, tenant, `schedule/${schedule.name}`) };
    await runSchedule(own, schedule).catch((error: unknown) => failures.push(error));
  }
  for (const tick of await listAbandonedTicks(db, minus(now(), leaseMs))) {
    const own = { ...context, db: scopeToTenant(db, tick.tenant, `schedule/${tick.schedule}`) };
    if (!(await reclaimTick(own.db, tick, now()))) continue;
    if (tick.begun >= attemptsAtMost) {
      await failTick(own, tick, { code: 'process-died', detail: diedInLastAttempt });
      continue;
    }
    log.info({ schedule: tick.schedule, tick: tick.tickAt }, 'taking over a tick');
    await startTick(own, { ...tick, begun: tick.begun + 1 });
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Could not run every schedule');
}

async function runSchedule(context: SchedulerContext, schedule: StoredSchedule): Promise<void> {
  const tick = await takeTicks(context, schedule);
  if (tick) await startTick(context, tick);
}

/** The tick to run, if it is this instance's. */
async function takeTicks(
  { db, now: readNow, log }: SchedulerContext,
  schedule: StoredSchedule,
): Promise<ScheduleTick | undefined> {
  const now = readNow();
  const first = schedule.nextAt ?? now;
  const ticks = listTicksThrough(schedule, { first, now, limit: maxRecorded });
  const latest = ticks.at(-1) ?? first;
  const isLate = latest <= minus(now, latestMs);
  const missed = isLate ? ticks : ticks.slice(0, -1);
  const due = isLate ? undefined : toTick(schedule, latest, { status: 'due', now });
  return db.transaction().execute(async (trx) => {
    if (!(await advanceSchedule(trx, schedule, nextTick(schedule, now)))) return undefined;
    const rows = missed.map((tickAt) => toTick(schedule, tickAt, { status: 'missed', now }));
    await insertTicks(trx, due ? [...rows, due] : rows);
    await deleteTicks(trx, schedule.name, minus(now, keptMs));
    if (missed.length > 0) {
      log.error({ schedule: schedule.name, ticks: missed }, 'missed ticks');
      await reportMissed(trx, schedule, { missed, now });
    }
    return due;
  });
}

function toTick(
  { name, evaluation }: StoredSchedule,
  tickAt: string,
  { status, now }: { readonly status: 'due' | 'missed'; readonly now: string },
): ScheduleTick {
  return {
    schedule: name,
    tickAt,
    status,
    evaluation: status === 'due' ? evaluation : null,
    claimedAt: now,
    begun: status === 'due' ? 1 : 0,
    evaluationId: null,
    error: null,
  };
}

async function startTick(context: SchedulerContext, tick: ScheduleTick): Promise<void> {
  const { db, jobs, log, createId, now, readRequest } = context;
  const { findObstacle } = context.retrievers;
  const about = { schedule: tick.schedule, tick: tick.tickAt };
  try {
    const request = readRequest(tick.evaluation ?? '{}');
    const idempotencyKey = internalIdempotencyKey('schedule', tick.schedule, tick.tickAt);
    const identity = { id: createId(), now: now(), idempotencyKey, findObstacle };
    const { id } = await createEvaluation(db, request, identity);
    await finishTick(db, tick, { status: 'started', evaluationId: id });
    jobs.enqueue(id);
    log.info({ ...about, evaluation: id }, 'schedule started an evaluation');
  } catch (error) {
    log.error({ ...about, err: error }, 'schedule could not start its evaluation');
    if (error instanceof AppError) {
      return failTick(context, tick, { code: error.code, detail: error.message });
    }
    // A store that is away says nothing about the tick, which is taken over later.
    if (isTransientError(error)) return retryTransientErrors(() => endAttempt(db, tick));
    // A bug may concern this moment only: the tick is taken over later, a few times.
    if (tick.begun >= attemptsAtMost) {
      await failTick(context, tick, { code: 'internal', detail: failedTooOften });
    }
  }
}

const diedInLastAttempt = `The process died in attempt ${attemptsAtMost} of ${attemptsAtMost} to create the evaluation of this tick`;

const failedTooOften = `All ${attemptsAtMost} attempts to create the evaluation of this tick failed because of an internal error; see the log of the service`;

function minus(time: string, ms: number): string {
  return new Date(Date.parse(time) - ms).toISOString();
}
