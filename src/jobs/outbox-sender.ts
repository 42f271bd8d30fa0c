import type { Database } from '../storage/database/database.ts';
import {
  claimMessages,
  finishMessage,
  postponeMessage,
  type OutboxKind,
  type OutboxMessage,
} from '../storage/monitoring/outbox.ts';
import { scopeToTenant } from '../storage/database/tenant-scope.ts';
import { deathsAtMost } from '../storage/evaluations/work-in-hand.ts';
import { DeliveryError } from './delivery/delivery-error.ts';
import type { JobLog } from './evaluation-jobs.ts';

/** Brings one message to its receiver. Rejects when it did not arrive, with a DeliveryError when that was foreseen. */
export type Deliver = (message: OutboxMessage, signal: AbortSignal) => Promise<void>;

export interface OutboxSenderContext {
  readonly db: Database;
  readonly deliver: Readonly<Record<OutboxKind, Deliver>>;
  /** RFC 3339, UTC. */
  readonly now: () => string;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** A message that is not delivered by this age is abandoned. */
  readonly maxAgeMs: number;
  readonly log: JobLog;
}

/** Longer than a delivery takes, a token and a request of 15 s each, so that none is sent by two at a time. */
const leaseMs = 60 * 1000;
const batch = 10;
const firstBackoffMs = 2000;
const maxBackoffMs = 60 * 60 * 1000;

/**
 * Sends due messages in parallel. A message is sent until one attempt succeeds, and never after. One
 * whose success could not be stored, because the process died between answer and store, is sent again:
 * receivers tell it by its id.
 */
export async function sendDueMessages(
  context: OutboxSenderContext,
  signal: AbortSignal,
): Promise<void> {
  const { db, now } = context;
  const leaseUntil = plus(now(), leaseMs);
  const messages = await claimMessages(db, { now: now(), leaseUntil, limit: batch });
  const sent = await Promise.allSettled(messages.map((message) => send(context, message, signal)));
  const failures = sent.flatMap((end) =>
    end.status === 'rejected' ? [end.reason as unknown] : [],
  );
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Could not store the end of every evaluation');
  }
}

async function send(
  context: OutboxSenderContext,
  message: OutboxMessage,
  signal: AbortSignal,
): Promise<void> {
  const { deliver, now, log } = context;
  const db = scopeToTenant(context.db, message.tenant);
  if (message.deaths >= deathsAtMost) {
    const error = `The process died ${deathsAtMost} times while it sent this message`;
    log.error({ message: message.id, error }, 'message abandoned');
    return finishMessage(db, message.id, { status: 'dead', at: now(), error });
  }
  try {
    await deliver[message.kind](message, signal);
  } catch (error) {
    return handleFailure({ ...context, db }, message, error);
  }
  await finishMessage(db, message.id, { status: 'sent', at: now(), error: null });
  log.info({ message: message.id, attempts: message.attempts }, 'message sent');
}

async function handleFailure(
  { db, now, random, maxAgeMs, log }: OutboxSenderContext,
  { id, attempts, createdAt }: OutboxMessage,
  cause: unknown,
): Promise<void> {
  const isForeseen = cause instanceof DeliveryError;
  const error = isForeseen ? cause.message : 'Internal error; see the log of the service';
  const about = { message: id, attempts, ...(isForeseen ? { error } : { err: cause }) };
  const until = plus(now(), drawBackoffMs(attempts, random));
  const isTooOld = until > plus(createdAt, maxAgeMs);
  if (isTooOld || (isForeseen && cause.isFinal)) {
    log.error(about, 'message abandoned');
    return finishMessage(db, id, { status: 'dead', at: now(), error });
  }
  log.info(about, 'message not delivered, will retry');
  return postponeMessage(db, id, { until, error });
}

/** Between half of a bound and the bound, which doubles with each attempt: 2 s, 4 s, … an hour. */
function drawBackoffMs(attempts: number, random: () => number): number {
  const bound = Math.min(maxBackoffMs, firstBackoffMs * 2 ** (attempts - 1));
  return bound / 2 + random() * (bound / 2);
}

function plus(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}
