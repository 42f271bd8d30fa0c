import type { Readable } from 'node:stream';

import { z } from 'zod';

import { maxInputErrors, type InputError } from '../../errors.ts';
import type { PairEntry } from '../../evaluation/catalog/stage-pairs.ts';
import { createCsvRunParser } from '../../ir/interchange/csv-run.ts';
import { parseRanxRun } from '../../ir/interchange/ranx-json.ts';
import { parseRunLine } from '../../ir/trec/run-line.ts';
import { Id } from '../../schemas/vocabulary.ts';
import { isOwnForm, type RanxRunInput, type RunInput } from '../../schemas/run.ts';
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

/** The hits of a run of TREC or CSV. */
export async function* toPairEntries(
  entries: AsyncIterable<Entry<ScoredHit>>,
): AsyncGenerator<PairEntry> {
  for await (const { value, line } of entries) {
    const { questionId, documentId, score } = value;
    yield { questionId, documentId, value: score, line };
  }
}

/** Takes a run that JSON.parse has read whole. */
export async function* readRankings(run: RunInput | RanxRunInput): AsyncGenerator<PairEntry> {
  for (const [questionId, hits] of isOwnForm(run) ? readOwnForm(run) : parseRanxRun(run)) {
    if (hits.length === 0) yield { questionId, value: null };
    for (const { documentId, score = null } of hits) yield { questionId, documentId, value: score };
  }
}

function readOwnForm({ rankings }: RunInput): RunEntries {
  const errors: InputError[] = [];
  const entries = Object.entries(rankings);
  for (const [questionId, hits] of entries) {
    const seen = new Set<string>();
    for (const [index, { documentId }] of hits.entries()) {
      if (seen.has(documentId)) {
        const pointer = `/body/rankings/${questionId}/${index}/documentId`;
        errors.push({ pointer, detail: `Duplicate document '${documentId}' in this ranking` });
      }
      seen.add(documentId);
    }
  }
  refuse(errors.slice(0, maxInputErrors));
  return entries;
}

type RunEntries = Iterable<
  readonly [string, readonly { readonly documentId: string; readonly score?: number | undefined }[]]
>;
