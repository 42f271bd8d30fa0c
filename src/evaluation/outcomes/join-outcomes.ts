import type { Database } from '../../storage/database/database.ts';
import { findOutcomes } from '../../storage/evaluations/outcomes.ts';
import { toOutcome } from '../../storage/evaluations/stored-outcome.ts';
import type { Outcome } from '../../model/outcome.ts';
import { currentSignal } from '../computations/current-request.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';

/** The outcomes of one configuration of an evaluation. */
export interface OutcomeSource<Asked> {
  readonly evaluationId: string;
  /** Position of the configuration in the evaluation. */
  readonly configuration: number;
  /** Position of a question in the version that the evaluation asked; undefined: it did not ask it. */
  readonly positionOf: (asked: Asked) => number | undefined;
}

/** A question with the outcome from each source, in their order; undefined: it was not searched there. */
export interface JoinedQuestion<Asked> {
  readonly asked: Asked;
  readonly outcomes: readonly (Outcome | undefined)[];
}

/**
 * Joins questions with their outcomes: one query for each batch and source. Each outcome is parsed when its
 * question is reached, so that one batch of stored rows is in memory, and the event loop runs in between. Rejects when the
 * client of the current request has disconnected.
 */
export async function* joinOutcomes<Asked>(
  db: Database,
  batches: AsyncIterable<readonly Asked[]>,
  sources: readonly OutcomeSource<Asked>[],
): AsyncGenerator<JoinedQuestion<Asked>> {
  const yieldToEventLoop = createYieldToEventLoop();
  const signal = currentSignal();
  for await (const batch of batches) {
    const found = [];
    for (const { evaluationId, configuration, positionOf } of sources) {
      const positions = batch.map(positionOf);
      const known = positions.filter((position) => position !== undefined);
      const rows = await findOutcomes(db, evaluationId, configuration, known);
      found.push({ positions, rows });
    }
    for (const [index, asked] of batch.entries()) {
      await yieldToEventLoop();
      signal?.throwIfAborted();
      const outcomes = found.map(({ positions, rows }) => {
        const row = rows.get(positions[index] ?? -1);
        return row && toOutcome(row);
      });
      yield { asked, outcomes };
    }
  }
}

/** Collects items into batches of `size`; `firstSize` is the size of the first one. */
export async function* toBatches<Item>(
  items: AsyncIterable<Item>,
  size: number,
  firstSize = size,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = [];
  let wanted = firstSize;
  for await (const item of items) {
    batch.push(item);
    if (batch.length < wanted) continue;
    yield batch;
    batch = [];
    wanted = size;
  }
  if (batch.length > 0) yield batch;
}
