import { createQrelsReader, type InternedQrels } from '../../../../src/ir/fast/interned-qrels.ts';
import { createRunReader } from '../../../../src/ir/fast/interned-run.ts';
import type { ByteSink } from '../../../../src/ir/fast/line-blocks.ts';
import { decodeId } from '../../../../src/ir/fast/id-arena.ts';
import { scoreRun, type MeasureValues } from '../../../../src/ir/fast/score-run.ts';
import { getMeasure } from '../unjudged/brute-force.ts';

export interface TrecFiles {
  readonly qrels: string;
  readonly run: string;
}

/** Hands the text on in chunks of so many bytes. */
function feed(sink: ByteSink, text: string, chunkSize: number): void {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkSize) {
    sink.add(bytes.subarray(start, start + chunkSize));
  }
}

export function readQrels(text: string, chunkSize = 1e9): InternedQrels {
  const reader = createQrelsReader();
  feed(reader, text, chunkSize);
  return reader.finish();
}

/** Scores the two files as a client of the readers does. */
export function scoreFiles(
  { qrels, run }: TrecFiles,
  names: readonly string[],
  chunkSize = 1e9,
): { values: readonly MeasureValues[]; questionIds: readonly string[]; ignored: number } {
  const interned = readQrels(qrels, chunkSize);
  const reader = createRunReader(interned);
  feed(reader, run, chunkSize);
  const read = reader.finish();
  return {
    values: scoreRun(interned, read, names.map(getMeasure)),
    questionIds: Array.from({ length: interned.questions.ids.count }, (_, question) =>
      decodeId(interned.questions.ids, question),
    ),
    ignored: read.ignoredQuestions,
  };
}
