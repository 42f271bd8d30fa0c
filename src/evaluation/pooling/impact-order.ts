import type { PlacedRanks } from '../statistics/place-labels.ts';
import type { PooledDocument } from '../../model/pool.ts';

/** What can move the difference of a pair most comes first. */
export interface ImpactOrder {
  /** All questions, by the place of their first label; those without one come last, as they were given. */
  readonly order: readonly string[];
  /** The documents of a question, each with its impact and place. */
  readonly sortDocuments: (
    questionId: string,
    documents: readonly PooledDocument[],
  ) => readonly PooledDocument[];
}

/** Puts questions and documents in the order that their labels are planned in. */
export function createImpactOrder(
  { starts, firsts, baselineRanks, impacts, orders }: PlacedRanks,
  {
    compared,
    all,
    candidate,
  }: {
    /** Ids of the questions that the ranks are of, in their order. */
    readonly compared: readonly string[];
    readonly all: readonly string[];
    /** Which of the two configurations has the later ranks of each question. */
    readonly candidate: string;
  },
): ImpactOrder {
  const indexes = new Map(compared.map((id, index) => [id, index]));
  const firstOf = (id: string) => firsts[indexes.get(id) ?? -1] || last;

  function place(questionId: string, document: PooledDocument): PooledDocument {
    const index = indexes.get(questionId);
    const [found] = document.retrievedBy;
    if (index === undefined || !found) return document;
    const isCandidate = found.configuration === candidate;
    const side = isCandidate ? (baselineRanks[index] ?? 0) : 0;
    const rank = (starts[index] ?? 0) + side + found.rank - 1;
    const order = orders[rank] ?? 0;
    return order > 0 ? { ...document, impact: impacts[rank] ?? 0, order } : document;
  }

  return {
    order: all.toSorted((a, b) => firstOf(a) - firstOf(b)),
    sortDocuments: (questionId, documents) =>
      documents
        .map((document) => place(questionId, document))
        .toSorted((a, b) => (a.order ?? last) - (b.order ?? last)),
  };
}

const last = Number.MAX_SAFE_INTEGER;
