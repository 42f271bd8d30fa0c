import type { Judgments } from '../qrels.ts';
import type { Ranking } from '../run.ts';

/** One question's ranking beside its judgments: all that a measure reads, so a ranking is judged once. */
export interface JudgedRanking {
  /** By rank, best first. `null` is a document without judgment, or an unmapped one. */
  readonly grades: readonly (number | null)[];
  /** Every grade of the question, retrieved or not, falling. */
  readonly judged: readonly number[];
}

/**
 * The ranking without the documents that nobody judged, negative grades among them: trec_eval -J, the condensed list of
 * Sakai, Alternatives to Bpref, SIGIR 2007.
 */
export function condense({ grades, judged }: JudgedRanking): JudgedRanking {
  return { grades: grades.filter((grade) => grade !== null && grade >= 0), judged };
}

/**
 * Looks up the grade of each rank. A judged document that stands twice is an error of the caller, since
 * it would be credited twice and could lift a measure above 1: it throws.
 */
export function judgeRanking(ranking: Ranking, judgments: Judgments): JudgedRanking {
  const credited = new Set<string>();
  const grades = ranking.map((documentId) => {
    if (documentId === null) return null;
    const grade = judgments.get(documentId);
    if (grade === undefined) return null;
    if (credited.has(documentId)) {
      throw new Error(`duplicate document '${documentId}' in one ranking`);
    }
    credited.add(documentId);
    return grade;
  });
  return { grades, judged: [...judgments.values()].toSorted((a, b) => b - a) };
}
