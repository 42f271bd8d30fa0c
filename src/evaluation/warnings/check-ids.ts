import { toComparableId } from '../../ir/comparable-ids.ts';
import { createNearMissFinder, quoteId, type NearIds } from '../../ir/near-ids.ts';
import { toJudgments } from '../../ir/qrels.ts';
import { nameSome, toWarning, warnIf, type Warning } from '../../model/warnings.ts';
import type { RankingCheck, SeenRanking } from './ranking-check.ts';

/** Hits of a ranking that are compared with the judged ids: a wrong rule shows in the first ones. */
const maxHits = 20;

/** Samples for a message. */
const maxSamples = 5;
const maxKeys = 15;

/**
 * Ids of the rankings beside those of the labels: none of them is judged, so that every measure is zero and the
 * search may be perfect; or some differ from a judged one in what the eye overlooks. `hasDocument` says of a
 * judged id that it is one of the searched data: then the labels are right, and the search found nothing of them.
 */
export function checkIds(hasDocument?: (documentId: string) => boolean): RankingCheck {
  const met = { questions: 0, isAny: false, hasLabels: false };
  const samples = new Map<string, string>();
  const keys = new Set<string>();
  const misses = createPairs();
  const looseMisses = createPairs();

  function addUnmet({ question, hits, notes }: SeenRanking, wanted: readonly string[]): void {
    met.hasLabels ||= hasDocument !== undefined && wanted.some((id) => hasDocument(id));
    for (const key of notes?.keys ?? []) if (keys.size < maxKeys * 2) keys.add(key);
    const found = hits.flatMap(({ documentId }) => documentId ?? []);
    if (samples.size < maxSamples && found.length > 0) {
      samples.set(question.id, `${quoteSome(found)}, judged ${quoteSome(wanted)}`);
    }
  }

  return {
    add(seen) {
      const { question, hits, values } = seen;
      if (hits.length === 0 || question.judgments.length === 0) return;
      const judgments = toJudgments(question.judgments);
      const found = hits.flatMap(({ documentId }) => documentId ?? []);
      const isMet = found.some((id) => judgments.has(toComparableId(id)));
      const finder = createNearMissFinder(judgments.keys());
      const top = found.slice(0, maxHits).map(toComparableId);
      misses.add(top.flatMap((id) => finder.find(id) ?? []));
      if (!values) return;
      met.questions += 1;
      met.isAny ||= isMet;
      if (met.isAny) return;
      looseMisses.add(top.flatMap((id) => finder.findLoosely(id) ?? []));
      addUnmet(seen, [...judgments.keys()]);
    },
    toList() {
      const isNothing = met.questions > 0 && !met.isAny && !met.hasLabels;
      const near = warnOfMisses(misses, isNothing);
      if (!isNothing) return near;
      const pairs = misses.count() > 0 ? misses : looseMisses;
      const message = explain(met.questions, { samples, keys, pairs: pairs.list() });
      return [toWarning({ code: 'no-judged-document-returned', message }, met.questions), ...near];
    },
  };
}

function warnOfMisses(misses: Pairs, isNothing: boolean): readonly Warning[] {
  return warnIf(misses.count(), {
    code: 'near-miss-ids',
    severity: isNothing ? 'error' : undefined,
    message: `Documents were returned whose ids differ from judged ones only in case, white space, invisible characters, Unicode form, percent-encoding or the notation of a number, and count as unjudged: ${nameSome(misses.list())}`,
  });
}

function explain(
  questions: number,
  {
    samples,
    keys,
    pairs,
  }: {
    readonly samples: ReadonlyMap<string, string>;
    readonly keys: ReadonlySet<string>;
    readonly pairs: readonly string[];
  },
): string {
  const which = questions === 1 ? 'the only question' : `any of ${questions} questions`;
  const cause =
    pairs.length > 0
      ? `. The ids of labels and search differ: ${nameSome(pairs)}`
      : '. Probably the search returns other ids than the labels use';
  const returned = [...samples].map(([id, both]) => `${quoteId(id)} returned ${both}`);
  const read = keys.size > 0 ? `. The metadata keys were ${nameSome(keys, maxKeys)}` : '';
  const examples = returned.length > 0 ? `. ${nameSome(returned, 2)}` : '. It read none';
  return `No returned document is judged for ${which}, so the measures say nothing about the search${cause}${examples}${read}`;
}

function quoteSome(ids: readonly string[]): string {
  return nameSome(ids.map(quoteId), 3);
}

/** Ids that nearly are others, some of which are kept. */
interface Pairs {
  readonly add: (near: readonly NearIds[]) => void;
  /** Questions with any. */
  readonly count: () => number;
  readonly list: () => readonly string[];
}

/** Pairs that are kept for the message. */
const maxPairs = 20;

function createPairs(): Pairs {
  const pairs = new Set<string>();
  let questions = 0;
  return {
    add(near) {
      questions += near.length > 0 ? 1 : 0;
      for (const { found, wanted } of near) {
        if (pairs.size < maxPairs) pairs.add(`${quoteId(found)} for ${quoteId(wanted)}`);
      }
    },
    count: () => questions,
    list: () => [...pairs],
  };
}
