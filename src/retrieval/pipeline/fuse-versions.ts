import { fuseReciprocalRank } from '../../ir/fusion.ts';
import type { Hit } from '../../ir/run.ts';
import { fuseScores } from '../../ir/score-fusion.ts';
import type { RetrievedHit } from '../retriever.ts';
import type { Fusion } from '../../model/pipeline-configuration.ts';
import { StageFailure, type StageJournal } from './stage-run.ts';

/** What fuses rankings unless the configuration says otherwise, and where scores cannot be fused. */
export const defaultFusion = { type: 'rrf', k: 60 } as const satisfies Fusion;

/**
 * One ranking of those of all versions. Each document comes with the chunk of the version that ranked it best,
 * the earlier version among equals. Rankings with a hit that has no score cannot be fused by scores: they are
 * fused by rank, and that is a fallback.
 */
export async function fuseVersions(
  rankings: readonly (readonly RetrievedHit[])[],
  fusion: Fusion,
  { journal, signal }: { readonly journal: StageJournal; readonly signal: AbortSignal },
): Promise<readonly RetrievedHit[]> {
  const keyed = rankings.map((hits, version) =>
    hits.map((hit, index) => ({ key: toKey(hit, `${version}/${index}`), hit })),
  );
  const fuse = (by: Fusion) => fuseKeys(keyed, by);
  const fused =
    (await journal.run({ stage: 'fusion', type: fusion.type }, signal, async () => fuse(fusion))) ??
    fuse(defaultFusion);
  const best = findBest(keyed);
  return fused.flatMap(({ documentId: key, score }) => {
    const hit = best.get(key);
    return hit ? [{ ...hit, score }] : [];
  });
}

interface KeyedHit {
  readonly key: string;
  readonly hit: RetrievedHit;
}

/** With equal scores, documents come before chunks without a document id. */
function toKey({ documentId, chunkId }: RetrievedHit, place: string): string {
  return documentId === null ? `u${chunkId ?? place}` : `d${documentId}`;
}

function fuseKeys(rankings: readonly (readonly KeyedHit[])[], fusion: Fusion): readonly Hit[] {
  if (fusion.type === 'rrf') {
    return fuseReciprocalRank(
      rankings.map((ranking) => ranking.map(({ key }) => key)),
      fusion.k,
    );
  }
  return fuseScores(
    rankings.map((ranking) =>
      ranking.map(({ key, hit }) => {
        if (hit.score !== null) return { documentId: key, score: hit.score };
        throw new StageFailure('no-scores', 'Hits without scores cannot be fused by score');
      }),
    ),
  );
}

function findBest(rankings: readonly (readonly KeyedHit[])[]): ReadonlyMap<string, RetrievedHit> {
  const best = new Map<string, { readonly rank: number; readonly hit: RetrievedHit }>();
  for (const ranking of rankings) {
    for (const [rank, { key, hit }] of ranking.entries()) {
      const known = best.get(key);
      if (!known || rank < known.rank) best.set(key, { rank, hit });
    }
  }
  return new Map([...best].map(([key, { hit }]) => [key, hit]));
}
