import { describeConfiguration } from '../../retrieval/registry.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import { checkFilterKeys } from './check-filter-keys.ts';
import type { RankingCheck } from './ranking-check.ts';
import {
  nameSome,
  toWarning,
  warnIf,
  type Warning,
  type WarningText,
} from '../../model/warnings.ts';
import type { OutcomeNotes } from '../../model/outcome.ts';

/** What can mislead in the rankings of SAP AI Core, beside what can in any. */
export function checkAiCore(
  configuration: SearchConfiguration,
  deepest: number,
): readonly RankingCheck[] {
  return [
    watchReach(configuration, deepest),
    checkSetUp(configuration),
    checkIdleFilters(),
    checkFilterKeys(configuration),
    checkScores(),
    checkSeveralValues(),
    checkSharedIds(),
    checkUnanswered(),
  ];
}

function watchReach(configuration: SearchConfiguration, deepest: number): RankingCheck {
  let asked = 0;
  return {
    add({ values }) {
      asked += values ? 1 : 0;
    },
    toList: () => warnOfReach(configuration, deepest, asked),
  };
}

/** Counts of the configuration that no ranking can exceed, and a measure that looks below them. */
export function warnOfReach(
  configuration: SearchConfiguration,
  deepest: number,
  questions: number,
): readonly Warning[] {
  const { reach } = describeConfiguration(configuration);
  const documents = reach.documents ?? Number.POSITIVE_INFINITY;
  const isShort = documents < Math.min(deepest, configuration.depth);
  const reason = reach.isSetByOperation ? ' (an operation without "maxChunkCount" returns 5)' : '';
  return warnIf(isShort ? questions : 0, {
    code: 'depth-below-cutoff',
    message: `The counts of the configuration allow ${documents} chunks${reason}, but a measure looks at the top ${deepest}: ranks in between count as not found`,
  });
}

function checkSetUp(configuration: SearchConfiguration): RankingCheck {
  const { warnings } = describeConfiguration(configuration);
  let questions = 0;
  return {
    add() {
      questions += 1;
    },
    toList: () => warnings.map((warning) => toWarning(warning, questions)),
  };
}

/** Filters that brought back no chunk for any question, where others did. */
function checkIdleFilters(): RankingCheck {
  const chunksOf = new Map<string, number>();
  let questions = 0;
  return {
    add({ notes }) {
      if (!notes) return;
      questions += 1;
      for (const { id, chunks } of notes.filters) {
        if (id !== null) chunksOf.set(id, (chunksOf.get(id) ?? 0) + chunks);
      }
    },
    toList() {
      const idle = [...chunksOf].filter(([, chunks]) => chunks === 0).map(([id]) => id);
      const isEverything = idle.length === chunksOf.size;
      return warnIf(idle.length > 0 ? questions : 0, {
        code: 'filter-passes-nothing',
        severity: isEverything ? 'error' : undefined,
        message: `Filters returned nothing for any question: ${nameSome(idle)}. Check the keys and values of their conditions, and their repositories`,
      });
    },
  };
}

function checkScores(): RankingCheck {
  let questions = 0;
  const mixes = new Set<string>();
  return {
    add({ notes }) {
      const sources = notes?.scoreSources ?? [];
      if (sources.length < 2) return;
      questions += 1;
      mixes.add([...sources].toSorted().join(' with '));
    },
    toList: () =>
      warnIf(questions, {
        code: 'scores-not-comparable',
        message: `A ranking mixes chunks with different kinds of scores, or with and without scores (${nameSome(mixes)}), so their order is not meaningful. A re-ranker over all filters gives them comparable scores`,
      }),
  };
}

function checkSeveralValues(): RankingCheck {
  const counts = { chunks: 0, questions: 0 };
  return {
    add({ notes }) {
      counts.chunks += notes?.severalValues ?? 0;
      counts.questions += (notes?.severalValues ?? 0) > 0 ? 1 : 0;
    },
    toList: () =>
      warnIf(counts.questions, {
        code: 'several-document-ids',
        message: `${counts.chunks} chunks have several document ids; the first one was used`,
      }),
  };
}

function checkSharedIds(): RankingCheck {
  return watchIds(
    (notes) => notes.sharedIds,
    (ids) => ({
      code: 'shared-document-ids',
      message: `${ids.size} document ids occur in several documents of AI Core (${nameSome(ids)}). This is correct if each chunk was stored as a document; otherwise different documents are counted as one`,
    }),
  );
}

function checkUnanswered(): RankingCheck {
  return watchIds(
    (notes) => notes.unanswered,
    (ids) => ({
      code: 'unanswered-filters',
      message: `AI Core omitted filters or operations from its response: ${nameSome(ids)}. They count as having found nothing`,
    }),
  );
}

/** Warns of the ids that the notes of some questions name. */
function watchIds(
  listIds: (notes: OutcomeNotes) => readonly string[],
  toText: (ids: ReadonlySet<string>) => WarningText,
): RankingCheck {
  const ids = new Set<string>();
  let questions = 0;
  return {
    add({ notes }) {
      const named = (notes && listIds(notes)) ?? [];
      for (const id of named) ids.add(id);
      questions += named.length > 0 ? 1 : 0;
    },
    toList: () => warnIf(questions, toText(ids)),
  };
}
