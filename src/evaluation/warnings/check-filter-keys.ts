import type { SearchConfiguration } from '../../model/search-configuration.ts';
import { nameSome, warnIf } from '../../model/warnings.ts';
import { maxNoted } from '../../retrieval/ai-core/note-chunks.ts';
import { listConditions } from '../../retrieval/filter-warnings.ts';
import type { RankingCheck } from './ranking-check.ts';

/** How the notes write the keys of chunks and documents. */
const noted = /^(?:chunk|document)Metadata\./;

/**
 * Keys of conditions that nothing of what came back has: a condition that ignores what lacks its key lets everything
 * pass when the key is misspelt. Orchestration returns only the keys that it was asked for.
 */
export function checkFilterKeys(configuration: SearchConfiguration): RankingCheck {
  const missing = new Set(listFilterKeys(configuration));
  const present = new Set<string>();
  let questions = 0;
  let isCut = false;
  return {
    add({ notes }) {
      if (missing.size === 0 || !notes) return;
      isCut ||= notes.keys.length >= maxNoted;
      const keys = notes.keys.filter((key) => noted.test(key));
      questions += keys.length > 0 ? 1 : 0;
      for (const key of keys) {
        const name = key.replace(noted, '');
        present.add(name);
        missing.delete(name);
      }
    },
    toList: () =>
      warnIf(missing.size > 0 && !isCut ? questions : 0, {
        code: 'unknown-filter-key',
        message: `No returned chunk or document has these metadata keys of the filters: ${nameSome(missing)}; the keys are ${nameSome(present, 15)}`,
      }),
  };
}

function listFilterKeys(configuration: SearchConfiguration): readonly string[] {
  if (!('documentId' in configuration)) return [];
  const { filters, users } = configuration;
  const conditions = [
    ...filters.flatMap(({ dataRepositoryMetadata: _ofRepositories, ...filter }) =>
      listConditions(filter),
    ),
    ...Object.values(users).flatMap(({ documentMetadata }) => documentMetadata),
  ];
  return conditions.map(({ key }) => key);
}
