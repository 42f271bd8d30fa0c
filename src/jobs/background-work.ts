import { reportEnds } from '../evaluation/monitoring/report-ends.ts';
import { closeQuietSittings } from '../evaluation/question-sets/sittings.ts';
import { clearDrafts } from '../evaluation/drafts/write-draft.ts';
import { deleteAlertEvents } from '../storage/monitoring/alert-events.ts';
import type { Database } from '../storage/database/database.ts';
import { deleteFinishedMessages, findNextAttempt } from '../storage/monitoring/outbox.ts';
import { findNextScheduledTime } from '../storage/monitoring/schedules.ts';
import { sendDueMessages, type OutboxSenderContext } from './outbox-sender.ts';
import { startPollLoop, type PollLoop } from './poll-loop.ts';
import { runDueTicks, type SchedulerContext } from './run-due-ticks.ts';

export interface BackgroundContext extends SchedulerContext, OutboxSenderContext {}

const maxMs = 5000;
const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const keptMs = 90 * 24 * hourMs;

/** Starts background work: schedules, ends of evaluations, the outbox, and cleaning. */
export function startBackgroundWork(context: BackgroundContext): PollLoop {
  const { db, log, now } = context;
  const until = (time: string | undefined) =>
    time === undefined ? maxMs : Date.parse(time) - Date.parse(now());
  const loops = [
    startPollLoop({
      name: 'scheduler',
      log,
      maxMs,
      async step() {
        await runDueTicks(context);
        return until(await findNextScheduledTime(db));
      },
    }),
    startPollLoop({
      name: 'outbox',
      log,
      maxMs,
      async step(signal) {
        await reportEnds(db, { now: now(), log });
        await sendDueMessages(context, signal);
        return until(await findNextAttempt(db));
      },
    }),
    startPollLoop({
      name: 'drafts',
      log,
      maxMs: minuteMs,
      async step() {
        await clearDrafts(db, { now: now() });
        return minuteMs;
      },
    }),
    startPollLoop({
      name: 'sittings',
      log,
      maxMs: minuteMs,
      async step() {
        await closeQuietSittings(db, now(), (error) =>
          log.error({ err: error }, 'closing a sitting failed, will retry in a minute'),
        );
        return minuteMs;
      },
    }),
    startPollLoop({
      name: 'cleaner',
      log,
      maxMs: hourMs,
      async step() {
        await forgetOld(db, new Date(Date.parse(now()) - keptMs).toISOString());
        return hourMs;
      },
    }),
  ];
  return {
    async close() {
      await Promise.all(loops.map((loop) => loop.close()));
    },
  };
}

async function forgetOld(db: Database, before: string): Promise<void> {
  await deleteFinishedMessages(db, before);
  await deleteAlertEvents(db, before);
}
