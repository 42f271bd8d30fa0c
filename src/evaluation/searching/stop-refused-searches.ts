import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { RetrieverError } from '../../errors.ts';
import { SearchFailure } from '../../retrieval/search-failure.ts';
import { maxRefusals } from '../../retrieval/resilience/circuit-breaker.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  noteAnswer,
  noteRefusal,
  releasePilot,
  takePilot,
  type Pilot,
  type RefusalKey,
  type RefusalState,
} from '../../storage/evaluations/refusals.ts';
import { retryTransientErrors } from '../../storage/database/transient-errors.ts';

/** A pilot that is not renewed is lost to others after this time. */
const leaseMs = 15_000;
const renewEveryMs = 5000;
const lookAgainMs = 100;

type Search = Retriever['retrieve'];

/**
 * Searches until AI Core has refused a configuration five times in a row in the same way. The count is the
 * evaluation's and stands in the store: batches and instances share it, and it outlives a restart. Until the
 * first answer that is no refusal, one search goes at a time, whichever instance makes it.
 */
export function stopRefusedSearches(
  retriever: Retriever,
  db: Database,
  key: RefusalKey,
): Retriever {
  const owner = randomUUID();
  let state: RefusalState = { refusals: 0, detail: null, isProven: false };
  let turns: Promise<unknown> = Promise.resolve();

  async function note(error: unknown, signal: AbortSignal): Promise<void> {
    const refusal = findRefusal(error);
    if (refusal !== undefined) {
      state = await retryTransientErrors(() => noteRefusal(db, key, refusal), signal);
    } else if (wasSent(error) && !(state.isProven && state.refusals === 0)) {
      state = { refusals: 0, detail: null, isProven: true };
      await retryTransientErrors(() => noteAnswer(db, key), signal);
    } else if (!state.isProven) {
      await retryTransientErrors(() => releasePilot(db, key, owner), signal);
    }
  }

  const search: Search = async (question, options) => {
    refuseIfStopped(state);
    const found = await retriever.retrieve(question, options).catch(async (error: unknown) => {
      await note(error, options.signal);
      throw error;
    });
    await note(undefined, options.signal);
    return found;
  };

  const take = () => takePilot(db, key, toPilot(owner));

  /** Undefined: the configuration is proven, and the search need not be one by itself. */
  async function searchAlone(...asked: Parameters<Search>) {
    const [, { signal }] = asked;
    for (;;) {
      refuseIfStopped(state);
      if (state.isProven) return undefined;
      const { isTaken, ...read } = await retryTransientErrors(take, signal);
      state = read;
      refuseIfStopped(state);
      if (isTaken) break;
      if (!state.isProven) await setTimeout(lookAgainMs, undefined, { signal });
    }
    // If a renewal fails, the next one follows soon.
    const timer = setInterval(() => void take().catch(() => undefined), renewEveryMs);
    try {
      return { found: await search(...asked) };
    } finally {
      clearInterval(timer);
    }
  }

  return {
    ...retriever,
    async retrieve(...asked) {
      refuseIfStopped(state);
      if (state.isProven) return search(...asked);
      const turn = turns.then(() => searchAlone(...asked));
      turns = turn.catch(() => undefined);
      const result = await turn;
      return result ? result.found : search(...asked);
    },
  };
}

function refuseIfStopped({ refusals, detail }: RefusalState): void {
  if (refusals >= maxRefusals) throw toStop(detail ?? '');
}

function toPilot(owner: string): Pilot {
  const now = Date.now();
  return { owner, now, until: now + leaseMs };
}

function findRefusal(error: unknown): string | undefined {
  const failure = error instanceof RetrieverError ? error.cause : undefined;
  return failure instanceof SearchFailure && failure.isRefusal ? failure.message : undefined;
}

/** Whether AI Core had its say: an answer, or a failure of a search that was sent. */
function wasSent(error: unknown): boolean {
  return error === undefined || (error instanceof RetrieverError && error.attempts > 0);
}

function toStop(detail: string): RetrieverError {
  const message = `Not searched: the previous ${maxRefusals} searches were all refused for the same reason. ${detail}`;
  return new RetrieverError('retriever-failed', message);
}
