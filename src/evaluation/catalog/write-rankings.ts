import { setImmediate } from 'node:timers/promises';

import { InvalidInputError } from '../../errors.ts';
import { orderAsTrec } from '../../ir/trec/order-as-trec.ts';
import { deleteSomeParts, writeDraft, type Draft } from '../../storage/catalog/drafts.ts';
import { inBatches } from '../../storage/database/in-batches.ts';
import {
  insertRankings,
  type ImportedHit,
  type PositionedRanking,
} from '../../storage/catalog/runs.ts';
import { takeRankings } from '../../storage/catalog/run-questions.ts';
import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';
import { createTally } from './ranking-tally.ts';
import { createRunNotes } from './run-notes.ts';
import type { RunNotes } from '../../storage/catalog/run-notes.ts';
import { createPlacedIssues, type PlacedIssues } from './placed-issues.ts';
import { groupByQuestion, type QuestionGroup } from './group-by-question.ts';
import { stagePairs, type PairEntry, type StagedPair, type StagedQuestion } from './stage-pairs.ts';

/** Documents that one question's ranking may hold at most. */
export const maxHitsPerQuestion = 10_000;

export interface WrittenRankings {
  readonly contentHash: string;
  readonly questions: number;
  readonly hits: number;
  readonly notes: RunNotes;
}

/**
 * Writes entries as the rankings of the draft. While the entries of each question stand together, they are written as they
 * come. From the first repeated question on, entries are staged and joined with what was written. A document
 * twice in one question, and too many documents, are refused, the first places of the body first.
 */
export async function writeRankings(
  draft: Draft,
  entries: AsyncIterable<readonly PairEntry[]>,
): Promise<WrittenRankings> {
  const writer = createRankingWriter(draft);
  const iterator = entries[Symbol.asyncIterator]();
  try {
    const groups = groupByQuestion(iterator, { maxPairs: maxHitsPerQuestion });
    let next = await groups.next();
    for (; next.done !== true; next = await groups.next()) await writer.add(next.value);
    if (next.value) {
      const { entries: rest, before } = next.value;
      const staged = await stagePairs(draft, rest, { maxPairs: maxHitsPerQuestion, before });
      const { hasLines } = staged;
      for await (const questions of staged.read()) await writer.join({ questions, hasLines });
      while (await deleteSomeParts(draft.db, draft.id)) await setImmediate();
    }
  } finally {
    await iterator.return?.();
  }
  return writer.end();
}

interface RankingWriter {
  /** Writes questions that were not written before. */
  readonly add: (group: QuestionGroup) => Promise<void>;
  /** Writes questions, each with what was written of it before. */
  readonly join: (group: QuestionGroup) => Promise<void>;
  /** Throws if any entry was wrong. */
  readonly end: () => Promise<WrittenRankings>;
}

function createRankingWriter(draft: Draft): RankingWriter {
  const issues = createPlacedIssues();
  const tally = createTally();
  const notes = createRunNotes();

  async function rank(
    some: Iterable<readonly [string, StagedQuestion]>,
    hasLines: boolean,
  ): Promise<readonly PositionedRanking[]> {
    const yieldToEventLoop = createYieldToEventLoop();
    const rankings: PositionedRanking[] = [];
    for (const [questionId, question] of some) {
      findIssues(issues, { questionId, question, hasLines });
      const ranking = toRanking(questionId, question);
      tally.add(ranking);
      rankings.push(ranking);
      await yieldToEventLoop();
    }
    return rankings;
  }

  return {
    add: ({ questions, hasLines }) =>
      inBatches([...questions], async (some) => {
        for (const [id, { pairs }] of some) notes.add(id, pairs);
        const rankings = await rank(some, hasLines);
        if (issues.count() > 0) return;
        await writeDraft(draft, (trx) => insertRankings(trx, draft.id, rankings));
      }),
    join: ({ questions, hasLines }) =>
      inBatches([...questions], (some) =>
        writeDraft(draft, async (trx) => {
          const ids = some.map(([questionId]) => questionId);
          const taken = await takeRankings(trx, draft.id, ids);
          for (const ranking of taken) tally.remove(ranking);
          const written = new Map(taken.map((ranking) => [ranking.questionId, ranking]));
          const joined = some.map(([id, question]) => joinQuestion(id, question, written));
          for (const [id, { pairs }] of joined) {
            // Of a longer part the order as it came is gone; it was noted with its part.
            if ((written.get(id)?.hits.length ?? 0) <= 1) notes.add(id, pairs);
          }
          const rankings = await rank(joined, hasLines);
          if (issues.count() === 0) await insertRankings(trx, draft.id, rankings);
        }),
      ),
    async end() {
      refuse(issues);
      return { ...(await tally.end()), notes: notes.toNotes() };
    },
  };
}

/** Later entries are appended to what was written, whose documents are not the duplicates. */
function joinQuestion(
  id: string,
  question: StagedQuestion,
  written: ReadonlyMap<string, PositionedRanking>,
): readonly [string, StagedQuestion] {
  const earlier = written.get(id);
  if (!earlier) return [id, question];
  const { position: place, hits } = earlier;
  const before = hits.map(({ documentId, score }) => ({ documentId, value: score, place }));
  return [id, { place, pairs: [...before, ...question.pairs] }];
}

function toRanking(questionId: string, { place, pairs }: StagedQuestion): PositionedRanking {
  const hits = pairs.map(({ documentId, value }) => ({ documentId, score: value }));
  return { questionId, position: place, hits: order(hits) };
}

/** With scores in the order of trec_eval, without in the order of the file. */
function order(hits: readonly ImportedHit[]): readonly ImportedHit[] {
  const scored = hits.flatMap(({ documentId, score }) =>
    score === null ? [] : [{ documentId, score }],
  );
  return scored.length < hits.length ? hits : orderAsTrec(scored);
}

function findIssues(
  issues: PlacedIssues,
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
    issues.add({ pointer: '/body', ...(hasLines && { line: place }), place, detail });
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

function refuse(issues: PlacedIssues): void {
  const errors = issues.first();
  const [first] = errors;
  if (!first) return;
  const where = first.line === undefined ? first.pointer : `line ${first.line}, ${first.pointer}`;
  throw new InvalidInputError(`The body was rejected: ${where} ${first.detail}`, errors);
}
