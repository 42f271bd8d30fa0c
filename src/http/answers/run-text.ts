import { csvRunHeader, formatCsvHit } from '../../ir/interchange/csv-run.ts';
import { formatRanxHits } from '../../ir/interchange/ranx-json.ts';
import { formatRanking, type RankedHit } from '../../ir/trec/format-ranking.ts';
import type { Hit } from '../../ir/run.ts';
import { mapStream, streamObject } from './streams.ts';
import { sendFormat, writeText } from './text-answer.ts';

export interface WritableRanking {
  readonly questionId: string;
  readonly hits: readonly RankedHit[];
}

/** The media types of a run. */
export const runTypes = ['application/json', 'text/plain', 'text/csv'] as const;

/** The forms of other tools that a run is written in. */
export type RunForm = 'text/plain' | 'text/csv' | 'ranx';

/** Answers with a run in the form of another tool. `read` is called more than once. */
export async function sendRun<Reply extends object>(
  reply: Reply,
  form: RunForm,
  run: { readonly name: string; readonly read: () => AsyncIterable<WritableRanking> },
): Promise<Reply> {
  if (form === 'text/plain') {
    const toText = ({ questionId, hits }: WritableRanking) =>
      joinLines(formatRanking(questionId, hits, run.name));
    const stream = await writeText('TREC text', () => mapStream(run.read(), toText));
    return sendFormat(reply, { type: form, stream, losses: 'trec-run' });
  }
  if (form === 'text/csv') {
    const stream = await writeText('CSV', () => toCsv(run.read()));
    return sendFormat(reply, { type: form, stream, losses: 'csv-run' });
  }
  const stream = streamObject(mapStream(run.read(), toRanxMember));
  return sendFormat(reply, { type: 'application/json', stream, losses: 'ranx-run' });
}

async function* toCsv(rankings: AsyncIterable<WritableRanking>): AsyncGenerator<string> {
  yield `${csvRunHeader}\n`;
  for await (const { questionId, hits } of rankings) {
    yield joinLines(toScoredHits(hits).map((hit) => formatCsvHit({ questionId, ...hit })));
  }
}

function toRanxMember({ questionId, hits }: WritableRanking): string {
  return formatRanxHits(questionId, toScoredHits(hits));
}

/** The mapped hits with their scores; where one has none, all get 1 / rank, which keeps their order. */
function toScoredHits(hits: readonly RankedHit[]): readonly Hit[] {
  const isScored = hits.every(({ score }) => Number.isFinite(score));
  return hits.flatMap(({ documentId, score }, index) =>
    documentId === null ? [] : [{ documentId, score: isScored ? (score ?? 0) : 1 / (index + 1) }],
  );
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
