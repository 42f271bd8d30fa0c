import { z } from 'zod';

import type { InputError } from '../errors.ts';
import { orderAsTrec } from '../ir/trec/order-as-trec.ts';
import { parseRunLine } from '../ir/trec/run-line.ts';
import { Id } from '../schemas/vocabulary.ts';
import { maxHitsPerQuestion, type RunInput } from '../schemas/run.ts';
import type { ImportedRanking } from '../storage/runs.ts';
import { refuse, type Line } from './line-body.ts';
import { readTrecLines } from './trec-body.ts';

/** Places that one answer names at most. */
const maxErrors = 100;

const RunEntry = z.object({
  questionId: Id,
  documentId: Id,
  score: z.number(),
  tag: z.string(),
});

interface ScoredHit {
  readonly documentId: string;
  readonly score: number;
}

/** Reads a TREC run. Lines of one question may stand anywhere; a document twice in one question is refused. */
export async function collectRankings(
  lines: AsyncIterable<Line>,
): Promise<readonly ImportedRanking[]> {
  const byQuestion = new Map<string, Map<string, ScoredHit>>();
  const errors: InputError[] = [];
  const entries = readTrecLines(lines, { parse: parseRunLine, schema: RunEntry });
  for await (const { value, line } of entries) {
    const { questionId, documentId, score } = value;
    const hits = byQuestion.get(questionId) ?? new Map<string, ScoredHit>();
    const fault = findFault(hits, value);
    if (fault !== undefined) errors.push({ pointer: '/body', line, detail: fault });
    if (errors.length >= maxErrors) break;
    hits.set(documentId, { documentId, score });
    byQuestion.set(questionId, hits);
  }
  refuse(errors);
  return [...byQuestion].map(([questionId, hits]) => ({
    questionId,
    hits: orderAsTrec([...hits.values()]),
  }));
}

/** Reads the JSON form: with scores in the order of trec_eval, without in the order given. */
export function readRankings({ rankings }: RunInput): readonly ImportedRanking[] {
  const errors: InputError[] = [];
  const read = Object.entries(rankings).map(([questionId, hits]) => {
    const seen = new Set<string>();
    for (const [index, { documentId }] of hits.entries()) {
      if (seen.has(documentId)) {
        const pointer = `/body/rankings/${questionId}/${index}/documentId`;
        errors.push({ pointer, detail: `'${documentId}' stands twice in this ranking` });
      }
      seen.add(documentId);
    }
    const scored = hits.flatMap(({ documentId, score }) =>
      score === undefined ? [] : [{ documentId, score }],
    );
    const ordered = scored.length > 0 ? orderAsTrec(scored) : hits;
    return {
      questionId,
      hits: ordered.map(({ documentId, score }) => ({ documentId, score: score ?? null })),
    };
  });
  refuse(errors.slice(0, maxErrors));
  return read;
}

function findFault(
  hits: ReadonlyMap<string, ScoredHit>,
  { questionId, documentId }: z.infer<typeof RunEntry>,
): string | undefined {
  if (hits.has(documentId)) {
    return `document '${documentId}' stands twice in question '${questionId}'`;
  }
  if (hits.size < maxHitsPerQuestion) return undefined;
  return `question '${questionId}' has more than ${maxHitsPerQuestion} documents`;
}
