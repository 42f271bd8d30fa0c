import { findCorpus } from '../../storage/catalog/corpora.ts';
import type { Database } from '../../storage/database/database.ts';
import type { SearchInput } from '../../storage/evaluations/evaluation-configurations.ts';
import { findRun } from '../../storage/catalog/runs.ts';

/** Whether the corpus or run still holds what it held when the evaluation was made. */
export async function isInputUnchanged(db: Database, input: SearchInput | null): Promise<boolean> {
  if (!input) return true;
  const found = await (input.kind === 'run' ? findRun(db, input.name) : findCorpus(db, input.name));
  return found?.contentHash === input.contentHash;
}
