import type { Readable } from 'node:stream';

import { z } from 'zod';

import { maxInputErrors, type InputError } from '../errors.ts';
import { createCsvRunParser } from '../ir/interchange/csv-run.ts';
import { parseRanxRun } from '../ir/interchange/ranx-json.ts';
import { orderAsTrec } from '../ir/trec/order-as-trec.ts';
import { parseRunLine } from '../ir/trec/run-line.ts';
import { Id } from '../schemas/vocabulary.ts';
import { isOwnForm, maxHitsPerQuestion, type RanxRunInput, type RunInput } from '../schemas/run.ts';
import type { ImportedRanking } from '../storage/runs.ts';
import { readCsvEntries } from './csv-body.ts';
import { readEntryLines } from './entry-lines.ts';
import { readLines, refuse, type Entry } from './line-body.ts';

const ScoredHit = z.object({ questionId: Id, documentId: Id, score: z.number() });
const TrecHit = ScoredHit.extend({ tag: z.string() });
type ScoredHit = z.infer<typeof ScoredHit>;

/** Reads a run of TREC or CSV as it arrives. */
export function readHits(
  body: Readable,
  type: string | undefined,
  maxBytes: number,
): AsyncIterable<Entry<ScoredHit>> {
  if (type === 'text/csv') {
    const format = { createParser: createCsvRunParser, schema: ScoredHit };
    return readCsvEntries(body, maxBytes, format);
  }
  return readEntryLines(readLines(body, maxBytes), { parse: parseRunLine, schema: TrecHit });
}

/** Gathers a run. Lines of one question may stand anywhere; a document twice in one question is refused. */
export async function collectRankings(
  entries: AsyncIterable<Entry<ScoredHit>>,
): Promise<readonly ImportedRanking[]> {
  const byQuestion = new Map<string, Map<string, ScoredHit>>();
  const errors: InputError[] = [];
  for await (const { value, line } of entries) {
    const { questionId, documentId } = value;
    const hits = byQuestion.get(questionId) ?? new Map<string, ScoredHit>();
    const fault = findFault(hits, value);
    if (fault !== undefined) errors.push({ pointer: '/body', line, detail: fault });
    if (errors.length >= maxInputErrors) break;
    hits.set(documentId, value);
    byQuestion.set(questionId, hits);
  }
  refuse(errors);
  return [...byQuestion].map(([questionId, hits]) => ({
    questionId,
    hits: orderAsTrec([...hits.values()]).map(({ documentId, score }) => ({ documentId, score })),
  }));
}

/** Reads the JSON form: with scores in the order of trec_eval, without in the order given. */
export function readRankings(run: RunInput | RanxRunInput): readonly ImportedRanking[] {
  return isOwnForm(run) ? readOwnForm(run) : readRanxForm(run);
}

function readRanxForm(run: RanxRunInput): readonly ImportedRanking[] {
  return [...parseRanxRun(run)].map(([questionId, hits]) => ({
    questionId,
    hits: orderAsTrec(hits),
  }));
}

function readOwnForm({ rankings }: RunInput): readonly ImportedRanking[] {
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
  refuse(errors.slice(0, maxInputErrors));
  return read;
}

function findFault(
  hits: ReadonlyMap<string, ScoredHit>,
  { questionId, documentId }: ScoredHit,
): string | undefined {
  if (hits.has(documentId)) {
    return `document '${documentId}' stands twice in question '${questionId}'`;
  }
  if (hits.size < maxHitsPerQuestion) return undefined;
  return `question '${questionId}' has more than ${maxHitsPerQuestion} documents`;
}
