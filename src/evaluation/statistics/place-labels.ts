import type { Ranking } from '../../ir/run.ts';
import type { ComparedQuestion, MissingLabel } from '../../ir/unjudged/missing-label.ts';

/**
 * Missing labels by the ranks that they stand at, as plain numbers: a million of them come out of a thread
 * without being copied. Each question has the ranks of its baseline, then those of its candidate.
 */
export interface PlacedRanks {
  /** By question, and one more at the end: where its ranks begin. */
  readonly starts: Int32Array;
  /** By question: the place of the label to ask for first; 0: it has none. */
  readonly firsts: Int32Array;
  /** By question: how many of its ranks are the baseline's. */
  readonly baselineRanks: Int32Array;
  /** Of the document at the rank; NaN: there is no label to ask for. */
  readonly impacts: Float64Array;
  /** The label's place among all that are missing, from 1; 0: there is none. */
  readonly orders: Int32Array;
}

/** Tells the ranks down to `depth`, of labels in the order in which they are to be asked for. */
export function placeLabels(
  questions: readonly ComparedQuestion[],
  labels: readonly MissingLabel[],
  depth: number,
): PlacedRanks {
  const byQuestion = groupLabels(labels);
  const tops = questions.map(({ baseline, candidate }) => ({
    baseline: baseline.slice(0, depth),
    candidate: candidate.slice(0, depth),
  }));
  const starts = new Int32Array(questions.length + 1);
  for (const [index, { baseline, candidate }] of tops.entries()) {
    starts[index + 1] = (starts[index] ?? 0) + baseline.length + candidate.length;
  }
  const ranks = starts.at(-1) ?? 0;
  const impacts = new Float64Array(ranks).fill(Number.NaN);
  const orders = new Int32Array(ranks);
  const firsts = new Int32Array(questions.length);
  for (const [index, { questionId }] of questions.entries()) {
    const known = byQuestion.get(questionId);
    for (const [rank, documentId] of toRanks(tops[index]).entries()) {
      const label = documentId === null ? undefined : known?.get(documentId);
      if (!label) continue;
      const place = (starts[index] ?? 0) + rank;
      impacts[place] = label.impact;
      orders[place] = label.order;
      firsts[index] = Math.min(firsts[index] || label.order, label.order);
    }
  }
  const baselineRanks = Int32Array.from(tops, ({ baseline }) => baseline.length);
  return { starts, firsts, baselineRanks, impacts, orders };
}

interface OrderedLabel {
  readonly impact: number;
  readonly order: number;
}

/** By question, then by document. */
function groupLabels(
  labels: readonly MissingLabel[],
): ReadonlyMap<string, ReadonlyMap<string, OrderedLabel>> {
  const groups = new Map<string, Map<string, OrderedLabel>>();
  for (const [index, { questionId, documentId, impact }] of labels.entries()) {
    const group = groups.get(questionId) ?? new Map<string, OrderedLabel>();
    group.set(documentId, { impact, order: index + 1 });
    groups.set(questionId, group);
  }
  return groups;
}

function toRanks(
  top: { readonly baseline: Ranking; readonly candidate: Ranking } | undefined,
): Ranking {
  return top ? [...top.baseline, ...top.candidate] : [];
}
