import { NotFoundError } from '../../errors.ts';
import { lockName } from '../../storage/database/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../../storage/database/database.ts';
import { recordChange, type ChangedKind } from '../../storage/monitoring/audit.ts';
import { noPrecondition, type Precondition } from './precondition.ts';

/** How resources of one kind are read, told apart and written. Each change is audited with the hash before and after. */
export interface NamedResource<Stored> {
  readonly kind: ChangedKind;
  /** As in an error: `Search configuration`. */
  readonly label: string;
  readonly find: (db: Database, name: string) => Promise<Stored | undefined>;
  /** For preconditions: different after every change. */
  readonly stateOf: (stored: Stored) => string;
  /** Of the content alone. */
  readonly hash: (stored: Stored) => string;
  readonly upsert: (trx: DatabaseTransaction, stored: Stored) => Promise<void>;
  readonly remove: (trx: DatabaseTransaction, name: string) => Promise<void>;
}

export interface NamedChange {
  readonly name: string;
  /** RFC 3339, UTC. */
  readonly now: string;
  readonly precondition?: Precondition | undefined;
}

/** Creates or replaces a resource. One with the same content is left as it is. */
export async function saveNamed<Stored>(
  db: Database,
  { kind, find, stateOf, hash, upsert }: NamedResource<Stored>,
  { name, now, precondition = noPrecondition }: NamedChange,
  content: {
    readonly make: (trx: DatabaseTransaction) => Stored | Promise<Stored>;
    /** Default: by hash. */
    readonly isSame?: (before: Stored, after: Stored) => boolean;
  },
): Promise<{ readonly stored: Stored; readonly isNew: boolean }> {
  const { make, isSame = (before, after) => hash(before) === hash(after) } = content;
  return db.transaction().execute(async (trx) => {
    await lockName(trx, kind, name);
    const before = await find(trx, name);
    precondition(before && stateOf(before));
    const stored = await make(trx);
    if (before && isSame(before, stored)) return { stored: before, isNew: false };
    await upsert(trx, stored);
    const hashes = { before: before ? hash(before) : null, after: hash(stored) };
    await recordChange(trx, { at: now, kind, name, ...hashes });
    return { stored, isNew: before === undefined };
  });
}

/** Throws a NotFoundError where no resource has that name. */
export async function removeNamed<Stored>(
  db: Database,
  { kind, label, find, stateOf, hash, remove }: NamedResource<Stored>,
  { name, now, precondition = noPrecondition }: NamedChange,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockName(trx, kind, name);
    const stored = await find(trx, name);
    precondition(stored && stateOf(stored));
    if (!stored) throw new NotFoundError(label, name);
    await remove(trx, name);
    await recordChange(trx, { at: now, kind, name, before: hash(stored), after: null });
  });
}
