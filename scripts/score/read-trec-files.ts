import { open } from 'node:fs/promises';

import { createQrelsReader, type InternedQrels } from '../../src/ir/fast/interned-qrels.ts';
import { createRunReader, type InternedRun } from '../../src/ir/fast/interned-run.ts';
import type { ByteSink } from '../../src/ir/fast/line-blocks.ts';
import { TrecLineError } from '../../src/ir/trec/trec-line-error.ts';

const chunkBytes = 4 * 2 ** 20;

/** Reads two TREC files into columns of numbers. A line that is none throws a TrecLineError. */
export async function readFiles(
  qrelsPath: string,
  runPath: string,
): Promise<{ qrels: InternedQrels; run: InternedRun }> {
  const qrels = await feedFile(qrelsPath, (expectedBytes) => createQrelsReader({ expectedBytes }));
  const run = await feedFile(runPath, (expectedBytes) => createRunReader(qrels, { expectedBytes }));
  return { qrels, run };
}

async function feedFile<Result>(
  path: string,
  createReader: (expectedBytes: number) => ByteSink & { finish(): Result },
): Promise<Result> {
  const file = await open(path);
  try {
    const reader = createReader((await file.stat()).size);
    // One chunk is read while the other is worked on.
    let [chunk, spare] = [new Uint8Array(chunkBytes), new Uint8Array(chunkBytes)];
    let reading = file.read(chunk);
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return reader.finish();
      [chunk, spare] = [spare, chunk];
      reading = file.read(chunk);
      reader.add(spare.subarray(0, bytesRead));
    }
  } catch (cause) {
    if (!(cause instanceof TrecLineError)) throw cause;
    throw new TrecLineError(`${path}, ${cause.message}`, { cause });
  } finally {
    await file.close();
  }
}
