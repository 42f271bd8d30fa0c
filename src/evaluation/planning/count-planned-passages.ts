import type { Chunking } from '../../model/search-configuration.ts';
import { countPassages, describeConfiguration } from '../../retrieval/registry.ts';
import { streamDocuments } from '../../storage/catalog/corpora.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';

/** By name of each configuration whose corpus this service cuts, how many passages its chunking makes. Each corpus is read once. */
export async function countPlannedPassages(
  db: Database,
  configurations: readonly EvaluationConfiguration[],
): Promise<ReadonlyMap<string, { readonly passages: number }>> {
  const planned = configurations.flatMap(({ name, configuration }) => {
    const { cut } = describeConfiguration(configuration);
    if (!cut) return [];
    const { corpus, chunking } = cut;
    return [{ name, corpus, key: JSON.stringify(chunking), chunking }];
  });
  const counts = new Map<string, { readonly passages: number }>();
  for (const [corpus, ofCorpus] of Map.groupBy(planned, (each) => each.corpus)) {
    const chunkings = new Map<string, Chunking>(
      ofCorpus.map(({ key, chunking }) => [key, chunking]),
    );
    const keys = [...chunkings.keys()];
    const found = await countPassages(streamDocuments(db, corpus), [...chunkings.values()]);
    for (const { name, key } of ofCorpus) {
      counts.set(name, { passages: found[keys.indexOf(key)] ?? 0 });
    }
  }
  return counts;
}
