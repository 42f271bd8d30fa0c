import { sql } from 'kysely';

import type { Database, DatabaseTransaction } from '../database/database.ts';
import { toPage, type Page, type PageRequest } from '../database/paging.ts';
import { authorOf } from '../database/tenant-scope.ts';

/** What can be changed. */
export const changedKinds = [
  'question-set',
  'corpus',
  'run',
  'search-configuration',
  'evaluation',
  'baseline',
  'schedule',
  'alert-target',
  'prices',
  'allowances',
] as const;
export type ChangedKind = (typeof changedKinds)[number];

/** What is done to it. `judge` adds judgments to a question set; `cancel` and `retry` are for evaluations. */
export const changeActions = ['create', 'change', 'delete', 'judge', 'cancel', 'retry'] as const;
export type ChangeAction = (typeof changeActions)[number];

export interface Change {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly kind: ChangedKind;
  /** An evaluation's is its id; prices have none but `prices`, allowances that of their tenant. */
  readonly name: string;
  /** Default: by what was there before and is there now. */
  readonly action?: ChangeAction;
  /** Hashes of the content, never the content. Null: it was not there; it is no more. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface AuditEntry extends Required<Change> {
  /** Within the tenant, from 1 in the order of the changes. */
  readonly id: number;
  /**
   * The user or client; `schedule/…` and `service/retention` for what the service
   * does by itself; `service/provider` for what an operator of the provider does; null without sign-in.
   */
  readonly actor: string | null;
}

/**
 * Notes who changed what, in the transaction that changes it: either both are stored or none is. The one
 * way to write an entry; there is none to change or delete one.
 */
export async function recordChange(trx: DatabaseTransaction, change: Change): Promise<void> {
  const { at, kind, name, before, after } = change;
  await trx
    .insertInto('audit_entry')
    .values({
      at,
      actor: authorOf(trx),
      action: change.action ?? findAction(change),
      kind,
      name,
      before_hash: before,
      after_hash: after,
    })
    .execute();
}

export interface AuditFilter {
  readonly kind?: ChangedKind | undefined;
  readonly name?: string | undefined;
  readonly actor?: string | undefined;
  /** At this time or later. */
  readonly since?: string | undefined;
  /** Before this time. */
  readonly until?: string | undefined;
}

/**
 * Newest first. The cursor is the id of the last entry of a page. Ids are counted within the tenant: the
 * store's own would tell how much all others change.
 */
export async function listAuditEntries(
  db: Database,
  { kind, name, actor, since, until }: AuditFilter,
  { limit, after }: PageRequest,
): Promise<Page<AuditEntry>> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_entry')
        .select(['at', 'actor', 'action', 'kind', 'name', 'before_hash', 'after_hash'])
        .select(sql<number>`cast(row_number() over (order by id) as integer)`.as('id'))
        .as('own'),
    )
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .$if(actor !== undefined, (query) => query.where('actor', '=', actor ?? ''))
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? ''))
    .$if(until !== undefined, (query) => query.where('at', '<', until ?? ''))
    .$if(after !== undefined, (query) => query.where('id', '<', Number(after)))
    .select(['id', 'at', 'actor', 'action', 'kind', 'name'])
    .select(['before_hash as before', 'after_hash as after'])
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit, {
    toItem: (row) => row as AuditEntry,
    toCursor: ({ id }) => String(id),
  });
}

function findAction({ before, after }: Change): ChangeAction {
  if (before === null) return 'create';
  return after === null ? 'delete' : 'change';
}
