import { AppError } from '../../errors.ts';
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

/** What an evaluation fails with whose corpus or run was changed or removed; null: there is no such input. */
export function toChangedInput(input: SearchInput | null): AppError {
  const what = input ? `${input.kind} '${input.name}'` : 'the searched data';
  return new AppError(
    'conflict',
    `${what} changed after the evaluation was created; create a new one`,
  );
}
