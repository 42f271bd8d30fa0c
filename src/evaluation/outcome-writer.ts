import type { Database } from '../storage/database.ts';
import { insertOutcomes, type Outcome } from '../storage/outcomes.ts';

const maxBuffered = 50;
const maxDelayMs = 1000;

export interface OutcomeWriter {
  /** Takes an outcome; it is in the store at most 50 outcomes or a second later. Throws when a write failed. */
  readonly add: (outcome: Outcome) => Promise<void>;
  /** Writes what is still held back. */
  readonly flush: () => Promise<void>;
}

/** Writes outcomes in small batches: each cost a search, so a crash must lose few. */
export function createOutcomeWriter(db: Database, evaluationId: string): OutcomeWriter {
  let buffer: Outcome[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writes = Promise.resolve();
  let fault: { readonly error: unknown } | undefined;

  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = buffer;
    buffer = [];
    if (batch.length > 0) {
      writes = writes
        .then(() => insertOutcomes(db, evaluationId, batch))
        .catch((error: unknown) => {
          fault ??= { error };
        });
    }
    return writes;
  }

  async function settle(): Promise<void> {
    await write();
    if (fault) throw fault.error;
  }

  return {
    async add(outcome) {
      buffer.push(outcome);
      if (buffer.length >= maxBuffered) return settle();
      timer ??= setTimeout(() => void write(), maxDelayMs);
      if (fault) throw fault.error;
      return undefined;
    },
    flush: settle,
  };
}
