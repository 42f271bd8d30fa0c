import type { Database } from '../../storage/database/database.ts';
import { inTurn } from '../computations/current-request.ts';
import { shareWork, type SharedWork } from '../computations/shared-work.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { tenantOf } from '../../storage/database/tenant-scope.ts';
import { hashJson } from '../../model/hash-content.ts';

/** Where something is derived from. */
export interface CachedSource {
  readonly db: Database;
  readonly evaluation: StoredEvaluation;
}

/** A word for the derivation, and all that it depends on beside the evaluation. */
export type CacheKey = readonly (string | number | readonly string[])[];

/** Remembers what was derived from the rankings of evaluations that succeeded, which stay as they are. */
export interface ResultCache {
  /**
   * What `derive` makes, as JSON holds it, or made when the same was asked before. An evaluation that was
   * reopened has a new end, and its results are computed again. Large computations wait for their turn; one that several
   * requests wait for continues while one of their clients is connected.
   */
  readonly getOrCompute: <Value>(
    source: CachedSource,
    key: CacheKey,
    derive: () => Promise<Value>,
  ) => Promise<Value>;
}

/** Keeps the latest results, up to a number of characters of JSON. */
export function createResultCache(maxCharacters = 8 * 1024 * 1024): ResultCache {
  const kept = createRecentTexts(maxCharacters);
  const underWay = new Map<string, SharedWork<string>>();

  return {
    async getOrCompute(source, asked, derive) {
      // Searches that were under way when it was cancelled, or failed, may still arrive.
      const { total } = source.evaluation;
      if (source.evaluation.status !== 'succeeded') return inTurn(derive, total);
      const state = toState(source.db, source.evaluation);
      const key = hashJson([state, asked]);
      const text = kept.find(key) ?? (await findUnderWay().join());
      return JSON.parse(text) as Awaited<ReturnType<typeof derive>>;

      function findUnderWay(): SharedWork<string> {
        const known = underWay.get(key);
        if (known && !known.isAbandoned()) return known;
        const made = shareWork(() => deriveText().finally(() => forget(made)));
        underWay.set(key, made);
        return made;
      }

      function forget(made: SharedWork<string>): void {
        if (underWay.get(key) === made) underWay.delete(key);
      }

      async function deriveText(): Promise<string> {
        const made = JSON.stringify(await inTurn(derive, total));
        const now = await findEvaluation(source.db, source.evaluation.id);
        if (now && toState(source.db, now) === state) kept.add(key, made);
        return made;
      }
    },
  };
}

/** Is another whenever rankings are: they are replaced only where failed searches are made again. */
function toState(db: Database, { id, status, finishedAt, scorecard }: StoredEvaluation): string {
  return hashJson([tenantOf(db), id, status, finishedAt, scorecard]);
}

interface RecentTexts {
  readonly find: (key: string) => string | undefined;
  readonly add: (key: string, text: string) => void;
}

function createRecentTexts(maxCharacters: number): RecentTexts {
  const texts = new Map<string, string>();
  let characters = 0;

  function take(key: string): string | undefined {
    const text = texts.get(key);
    characters -= text?.length ?? 0;
    texts.delete(key);
    return text;
  }

  function add(key: string, text: string): void {
    take(key);
    texts.set(key, text);
    characters += text.length;
    for (const oldest of texts.keys()) {
      if (characters <= maxCharacters) return;
      take(oldest);
    }
  }

  return {
    add,
    find(key) {
      const text = take(key);
      if (text !== undefined) add(key, text);
      return text;
    },
  };
}
