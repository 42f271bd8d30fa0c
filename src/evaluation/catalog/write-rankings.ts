import { setImmediate } from 'node:timers/promises';

import { InvalidInputError } from '../../errors.ts';
import { orderAsTrec } from '../../ir/trec/order-as-trec.ts';
import { deleteSomeParts, writeDraft, type Draft } from '../../storage/catalog/drafts.ts';
import { inBatches } from '../../storage/database/in-batches.ts';
import {
  insertRankings,
  toPairs,
  type ImportedHit,
  type PositionedRanking,
} from '../../storage/catalog/runs.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { createUnorderedHash, hashJson } from '../../model/hash-content.ts';
import { createPlacedIssues, type PlacedIssues } from './placed-issues.ts';
import type { StagedPair, StagedPairs, StagedQuestion } from './stage-pairs.ts';

/** Documents that one question's ranking may hold at most. */
export const maxHitsPerQuestion = 10_000;

export interface WrittenRankings {
  readonly contentHash: string;
  readonly questions: number;
  readonly hits: number;
}

/**
 * Writes what was staged as the rankings of the draft, and removes the staged parts. A document twice in one
 * question, and too many documents, are refused, the first places of the body first.
 */
export async function writeRankings(draft: Draft, staged: StagedPairs): Promise<WrittenRankings> {
  const faults = createPlacedIssues();
  const hash = createUnorderedHash();
  let questions = 0;
  let hits = 0;
  for await (const batch of staged.read()) {
    const rankings: PositionedRanking[] = [];
    const yieldToEventLoop = createYieldToEventLoop();
    for (const [questionId, question] of batch) {
      findFaults(faults, { questionId, question, hasLines: staged.hasLines });
      const ranking = toRanking(questionId, question);
      hash.add(hashJson([questionId, toPairs(ranking.hits)]));
      rankings.push(ranking);
      hits += ranking.hits.length;
      await yieldToEventLoop();
    }
    questions += rankings.length;
    if (faults.count() > 0) continue;
    await inBatches(rankings, (some) =>
      writeDraft(draft, (trx) => insertRankings(trx, draft.id, some)),
    );
  }
  refuse(faults);
  while (await deleteSomeParts(draft.db, draft.id)) await setImmediate();
  return { contentHash: await hash.digest(), questions, hits };
}

function toRanking(questionId: string, { place, pairs }: StagedQuestion): PositionedRanking {
  const hits = pairs.map(({ documentId, value }) => ({ documentId, score: value }));
  return { questionId, position: place, hits: order(hits) };
}

/** With scores as trec_eval, without as they came. */
function order(hits: readonly ImportedHit[]): readonly ImportedHit[] {
  const scored = hits.flatMap(({ documentId, score }) =>
    score === null ? [] : [{ documentId, score }],
  );
  return scored.length < hits.length ? hits : orderAsTrec(scored);
}

function findFaults(
  faults: PlacedIssues,
  {
    questionId,
    question: { pairs },
    hasLines,
  }: {
    readonly questionId: string;
    readonly question: StagedQuestion;
    readonly hasLines: boolean;
  },
): void {
  const add = ({ place }: StagedPair, detail: string) =>
    faults.add({ pointer: '/body', ...(hasLines && { line: place }), place, detail });
  const seen = new Set<string>();
  for (const pair of pairs) {
    const { documentId } = pair;
    if (seen.has(documentId)) {
      add(pair, `duplicate document '${documentId}' in question '${questionId}'`);
    } else if (seen.size === maxHitsPerQuestion) {
      add(pair, `question '${questionId}' has more than ${maxHitsPerQuestion} documents`);
      return;
    }
    seen.add(documentId);
  }
}

function refuse(faults: PlacedIssues): void {
  const errors = faults.first();
  const [first] = errors;
  if (!first) return;
  const where = first.line === undefined ? first.pointer : `line ${first.line}, ${first.pointer}`;
  throw new InvalidInputError(`The body was rejected: ${where} ${first.detail}`, errors);
}
