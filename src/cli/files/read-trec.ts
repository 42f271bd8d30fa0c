import { createQrelsReader, type InternedQrels } from '../../ir/fast/interned-qrels.ts';
import { createRunReader, type InternedRun } from '../../ir/fast/interned-run.ts';
import type { ByteSink } from '../../ir/fast/line-blocks.ts';
import { TrecLineError } from '../../ir/trec/trec-line-error.ts';
import { CommandError } from '../exit-codes.ts';
import type { InputFile } from './input-file.ts';

/** Reads TREC qrels into columns of numbers. */
export function readTrecQrels(file: InputFile): Promise<InternedQrels> {
  return feed(file, createQrelsReader({ expectedBytes: file.size ?? 0 }));
}

/** Reads a TREC run into columns of numbers. */
export function readTrecRun(file: InputFile, qrels: InternedQrels): Promise<InternedRun> {
  return feed(file, createRunReader(qrels, { expectedBytes: file.size ?? 0 }));
}

async function feed<Result>(
  { name, chunks }: InputFile,
  reader: ByteSink & { finish(): Result },
): Promise<Result> {
  try {
    for await (const chunk of chunks) reader.add(chunk);
    return reader.finish();
  } catch (cause) {
    if (!(cause instanceof TrecLineError)) throw cause;
    throw new CommandError(`${name}, ${cause.message}`, undefined, cause);
  }
}
