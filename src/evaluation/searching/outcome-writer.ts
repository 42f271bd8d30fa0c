import type { Database } from '../../storage/database/database.ts';
import { insertOutcomes } from '../../storage/evaluations/outcomes.ts';
import { addSearches } from '../../storage/evaluations/search-pace.ts';
import { retryTransientErrors } from '../../storage/database/transient-errors.ts';
import type { Outcome } from '../../model/outcome.ts';

/** Long enough to save most commits when searches are fast; next to a search on the network it is nothing. */
const maxDelayMs = 25;

export interface OutcomeWriter {
  /**
   * Takes an outcome and holds it for 25 ms at most before it is written, fewer when `maxHeld` are held.
   * While the store is away it is held on, and so is the caller as soon as that many are. Throws when a write
   * failed for good.
   */
  readonly add: (outcome: Outcome) => Promise<void>;
  /** Writes what is still held back, however long the store is away. */
  readonly flush: () => Promise<void>;
}

/** Writes outcomes in small batches: each cost a search, so a crash must lose few and an error of the database none. */
export function createOutcomeWriter(
  db: Database,
  evaluationId: string,
  { now, maxHeld }: { readonly now: () => string; readonly maxHeld: number },
): OutcomeWriter {
  let buffer: Outcome[] = [];
  let held = 0;
  let timer: NodeJS.Timeout | undefined;
  let writes = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;

  async function store(batch: readonly Outcome[]): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await insertOutcomes(trx, evaluationId, batch);
      await addSearches(trx, evaluationId, { searches: batch.length, at: now() });
    });
  }

  async function storeAfter(earlier: Promise<void>, batch: readonly Outcome[]): Promise<void> {
    await earlier;
    try {
      await retryTransientErrors(() => store(batch));
    } catch (error) {
      failure ??= { error };
    }
    held -= batch.length;
  }

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = buffer;
    buffer = [];
    if (batch.length > 0) writes = storeAfter(writes, batch);
    return writes;
  }

  async function settle(): Promise<void> {
    await write();
    if (failure) throw failure.error;
  }

  return {
    async add(outcome) {
      buffer.push(outcome);
      held += 1;
      if (held >= maxHeld) return settle();
      timer ??= setTimeout(() => void write(), maxDelayMs);
      if (failure) throw failure.error;
      return undefined;
    },
    flush: settle,
  };
}
