import { openInput } from '../src/cli/files/input-file.ts';
import { readTrecQrels, readTrecRun } from '../src/cli/files/read-trec.ts';
import type { InternedQrels } from '../src/ir/fast/interned-qrels.ts';
import type { InternedRun } from '../src/ir/fast/interned-run.ts';

/** Reads two TREC files as the command line does. */
export async function readFiles(
  qrelsPath: string,
  runPath: string,
): Promise<{ qrels: InternedQrels; run: InternedRun }> {
  const qrels = await readTrecQrels(await openInput(qrelsPath));
  return { qrels, run: await readTrecRun(await openInput(runPath), qrels) };
}
