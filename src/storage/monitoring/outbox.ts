import type { z } from 'zod';

import type { Database } from '../database/database.ts';
import { parseStored } from '../database/parse-stored.ts';
import type { OutboxTable } from '../tables/nightly-tables.ts';
import { acrossTenants, scopeToTenant } from '../database/tenant-scope.ts';
import { deathsAtMost } from '../evaluations/work-in-hand.ts';

export type OutboxKind = 'alert' | 'job-run';

/** A message on its way out. `attempts` counts the one that is under way. */
export interface OutboxMessage {
  readonly tenant: string;
  /** What the message is about; a second one with this id is the same message. */
  readonly id: string;
  readonly kind: OutboxKind;
  /** Name of the alert target; null for a kind that has one receiver. */
  readonly target: string | null;
  /** JSON. */
  readonly payload: string;
  readonly attempts: number;
  readonly createdAt: string;
  /** How often the process died while it sent the message since an attempt last ended. */
  readonly deaths: number;
}

/** Reads a payload. Throws BrokenRowError where it does not have the shape of the schema. */
export function parsePayload<Value>(
  schema: z.ZodType<Value, Value>,
  { id, payload }: Pick<OutboxMessage, 'id' | 'payload'>,
): Value {
  return parseStored(schema, payload, { table: 'outbox', column: 'payload', row: id });
}

export type NewMessage = Omit<OutboxMessage, 'tenant' | 'attempts' | 'deaths'>;

/** Stores a message to be sent as soon as may be. One that was stored before stays as it is. */
export async function insertMessage(db: Database, message: NewMessage): Promise<void> {
  const { id, kind, target, payload, createdAt } = message;
  await db
    .insertInto('outbox')
    .values({
      id,
      kind,
      target,
      payload,
      status: 'waiting',
      attempts: 0,
      begun: 0,
      created_at: createdAt,
      next_attempt_at: createdAt,
      finished_at: null,
      last_error: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Takes messages of all tenants that are due, for as long as until `leaseUntil`. Nobody else gets them before, so two
 * instances never send one message at a time; a sender that dies leaves them to others after it. One that
 * a sender died with comes alone, after the others, so that it takes none of them along.
 */
export async function claimMessages(
  db: Database,
  { now, leaseUntil, limit }: { readonly now: string; leaseUntil: string; limit: number },
): Promise<readonly OutboxMessage[]> {
  const due = await acrossTenants(db)
    .selectFrom('outbox')
    .where('status', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .orderBy('begun')
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
    .selectAll()
    .execute();
  const claimed: OutboxMessage[] = [];
  const fresh = due.filter(({ begun }) => begun === 0);
  for (const row of fresh.length > 0 ? fresh : due.slice(0, 1)) {
    const own = scopeToTenant(db, row.tenant);
    if (await claim(own, row, leaseUntil)) claimed.push(toMessage(row));
  }
  return claimed;
}

async function claim(
  db: Database,
  { id, attempts, begun, next_attempt_at }: OutboxTable,
  leaseUntil: string,
): Promise<boolean> {
  const result = await db
    .updateTable('outbox')
    .set({
      next_attempt_at: leaseUntil,
      attempts: attempts + 1,
      // More is as good as that many, and is not sent.
      begun: Math.min(begun + 1, deathsAtMost),
    })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('next_attempt_at', '=', next_attempt_at)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends a message: it arrived, or is given up. */
export async function finishMessage(
  db: Database,
  id: string,
  end: { readonly status: 'sent' | 'dead'; readonly at: string; readonly error: string | null },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ status: end.status, finished_at: end.at, last_error: end.error })
    .where('id', '=', id)
    .execute();
}

/** Has a message that did not arrive tried again later. */
export async function postponeMessage(
  db: Database,
  id: string,
  { until, error }: { readonly until: string; readonly error: string },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_attempt_at: until, last_error: error, begun: 0 })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute();
}

/** When the next message of any tenant is due, if one waits. */
export async function findNextAttempt(db: Database): Promise<string | undefined> {
  const row = await acrossTenants(db)
    .selectFrom('outbox')
    .where('status', '=', 'waiting')
    .orderBy('next_attempt_at')
    .select('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_attempt_at;
}

/** How the messages to one alert target fared. */
export interface DeliveryCounts {
  readonly waiting: number;
  readonly sent: number;
  readonly dead: number;
  /** Why the latest attempt that failed did so; null: none did. */
  readonly lastError: string | null;
}

export async function countDeliveries(db: Database, target: string): Promise<DeliveryCounts> {
  const rows = await db
    .selectFrom('outbox')
    .where('target', '=', target)
    .groupBy('status')
    .select((eb) => ['status', eb.fn.countAll<number | string>().as('count')])
    .execute();
  const failed = await db
    .selectFrom('outbox')
    .where('target', '=', target)
    .where('last_error', 'is not', null)
    .orderBy('created_at', 'desc')
    .select('last_error')
    .limit(1)
    .executeTakeFirst();
  const count = (status: string) => Number(rows.find((row) => row.status === status)?.count ?? 0);
  return {
    waiting: count('waiting'),
    sent: count('sent'),
    dead: count('dead'),
    lastError: failed?.last_error ?? null,
  };
}

export async function deleteMessagesTo(trx: Database, target: string): Promise<void> {
  await trx.deleteFrom('outbox').where('target', '=', target).execute();
}

/** Forgets messages of all tenants that ended before `before`. */
export async function deleteFinishedMessages(db: Database, before: string): Promise<void> {
  await acrossTenants(db).deleteFrom('outbox').where('finished_at', '<', before).execute();
}

function toMessage(row: OutboxTable & { readonly tenant: string }): OutboxMessage {
  return {
    tenant: row.tenant,
    id: row.id,
    kind: row.kind as OutboxKind,
    target: row.target,
    payload: row.payload,
    attempts: row.attempts + 1,
    createdAt: row.created_at,
    deaths: row.begun,
  };
}
