import { toJudgments } from '../../ir/qrels.ts';
import { describeConfiguration } from '../../retrieval/registry.ts';
import type { SearchConfiguration } from '../../model/search-configuration.ts';
import type { RankingCheck } from './ranking-check.ts';
import { checkNearMisses } from './check-near-misses.ts';
import { nameSome, warnIf, type Warning } from '../../model/warnings.ts';
import type { OutcomeNotes } from '../../model/outcome.ts';

/** What can mislead in the rankings of SAP AI Core, beside what can in any. */
export function checkAiCore(
  configuration: SearchConfiguration,
  deepest: number,
): readonly RankingCheck[] {
  return [
    watchReach(configuration, deepest),
    checkSetUp(configuration),
    checkNearMisses(),
    checkNothingJudged(),
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
    toList: () => warnings.map((warning) => ({ ...warning, questions })),
  };
}

/** Labels and document ids that never meet: every measure is zero, and the search may be perfect. */
function checkNothingJudged(): RankingCheck {
  const keys = new Set<string>();
  const samples = new Set<string>();
  let questions = 0;
  let isMet = false;
  return {
    add({ question, hits, notes, values }) {
      if (isMet || !values || hits.length === 0) return;
      questions += 1;
      const judgments = toJudgments(question.judgments);
      isMet = hits.some(({ documentId }) => documentId !== null && judgments.has(documentId));
      for (const key of notes?.keys ?? []) keys.add(key);
      for (const { documentId } of hits) {
        if (documentId !== null && samples.size < 5) samples.add(documentId);
      }
    },
    toList: () =>
      warnIf(isMet ? 0 : questions, {
        code: 'no-judged-document-returned',
        message: `No question returned any document that is judged for it. Probably "documentId" reads other ids than the labels use: it read ${samples.size > 0 ? nameSome(samples) : 'none'}, and the metadata keys were ${keys.size > 0 ? nameSome(keys, 15) : 'none'}`,
      }),
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
  toWarning: (ids: ReadonlySet<string>) => Omit<Warning, 'questions'>,
): RankingCheck {
  const ids = new Set<string>();
  let questions = 0;
  return {
    add({ notes }) {
      const named = (notes && listIds(notes)) ?? [];
      for (const id of named) ids.add(id);
      questions += named.length > 0 ? 1 : 0;
    },
    toList: () => warnIf(questions, toWarning(ids)),
  };
}
