import { AppError } from '../../errors.ts';
import { findCorpus } from '../../storage/catalog/corpora.ts';
import type { Database } from '../../storage/database/database.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import { findVersion } from '../../storage/question-sets/question-set-versions.ts';
import { findRun } from '../../storage/catalog/runs.ts';

/** What a long answer is read from. */
export type IntactSource =
  | { readonly kind: 'corpus' | 'run'; readonly name: string; readonly contentHash: string }
  | { readonly kind: 'question-set'; readonly name: string; readonly version: number }
  | { readonly kind: 'evaluation'; readonly id: string };

/**
 * Passes items on, and throws `conflict` at their end when what they came from was replaced or deleted
 * meanwhile: a part, or a mixture of old and new, must not pass for the whole.
 */
export async function* failIfChangedDuringRead<Item>(
  db: Database,
  items: AsyncIterable<Item>,
  source: IntactSource,
): AsyncGenerator<Item> {
  yield* items;
  if (await isThere(db, source)) return;
  throw new AppError('conflict', `The ${source.kind} changed while it was being read`);
}

async function isThere(db: Database, source: IntactSource): Promise<boolean> {
  switch (source.kind) {
    case 'corpus':
      return (await findCorpus(db, source.name))?.contentHash === source.contentHash;
    case 'run':
      return (await findRun(db, source.name))?.contentHash === source.contentHash;
    case 'question-set':
      return (await findVersion(db, source.name, source.version)) !== undefined;
    case 'evaluation':
      return (await findEvaluation(db, source.id)) !== undefined;
    default:
      return source satisfies never;
  }
}
