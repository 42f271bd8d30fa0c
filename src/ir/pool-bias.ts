import { judgeRanking } from './measures/judged-ranking.ts';
import type { Measure, MeasureContext } from './measures/measure.ts';
import type { Judgments } from './qrels.ts';
import type { Ranking } from './run.ts';
import { createMean } from './stable-sum.ts';
import type { DocumentId } from './ids.ts';

/** One question as every search configuration answered it. */
export interface PooledQuestion {
  /** By configuration. */
  readonly rankings: ReadonlyMap<string, Ranking>;
  readonly judgments: Judgments;
}

interface PoolBiasOptions extends MeasureContext {
  /** How far down each ranking was pooled. */
  readonly depth: number;
}

/** How much of a configuration's mean rests on judgments that it alone brought into the pool. */
export interface PoolBias {
  readonly configuration: string;
  readonly questions: number;
  /** Documents, judged or not, that only this configuration has in its top `depth`, over all questions. */
  readonly uniqueDocuments: number;
  /** Questions with at least one such document. */
  readonly uniqueQuestions: number;
  /** Judged documents, over all questions, that only this configuration has in its top `depth`. */
  readonly uniqueJudged: number;
  /** Those of them that are relevant: `(rel=n)` or higher, 1 or higher for graded measures. */
  readonly uniqueRelevant: number;
  readonly mean: number;
  /** The mean without these judgments: what the configuration would have had if it had not been pooled. */
  readonly meanWithout: number;
  /** mean − meanWithout. Negative where its judgments harm it, as they also count in R and in the ideal list. */
  readonly scoreDrop: number;
}

/**
 * Leaves each configuration out in turn, in order of first appearance (Zobel, How Reliable Are the
 * Results of Large-Scale Information Retrieval Experiments?, SIGIR 1998). Judgments of documents in no
 * top `depth` came from elsewhere and stay. A question left without a relevant document scores 0, as
 * ever; one that a configuration was not asked is not in its means.
 */
export function measurePoolBias(
  measure: Measure,
  questions: readonly PooledQuestion[],
  options: PoolBiasOptions,
): readonly PoolBias[] {
  const configurations = new Set(questions.flatMap(({ rankings }) => [...rankings.keys()]));
  return [...configurations].map((configuration) =>
    leaveOut(configuration, questions, { measure, ...options }),
  );
}

function leaveOut(
  configuration: string,
  questions: readonly PooledQuestion[],
  { measure, depth, maxGrade }: PoolBiasOptions & { readonly measure: Measure },
): PoolBias {
  const [scores, scoresWithout] = [createMean(), createMean()];
  const uniqueGrades: number[] = [];
  const counts = { uniqueDocuments: 0, uniqueQuestions: 0 };
  for (const { rankings, judgments } of questions) {
    const ranking = rankings.get(configuration);
    if (ranking === undefined) continue;
    const unique = findUniqueOf(configuration, rankings, depth);
    counts.uniqueDocuments += unique.size;
    counts.uniqueQuestions += unique.size > 0 ? 1 : 0;
    const without = new Map([...judgments].filter(([documentId]) => !unique.has(documentId)));
    scores.add(measure.compute(judgeRanking(ranking, judgments), { maxGrade }));
    scoresWithout.add(measure.compute(judgeRanking(ranking, without), { maxGrade }));
    uniqueGrades.push(...[...unique].flatMap((documentId) => judgments.get(documentId) ?? []));
  }
  const [mean, meanWithout] = [scores.mean ?? 0, scoresWithout.mean ?? 0];
  return {
    configuration,
    questions: scores.count,
    ...counts,
    uniqueJudged: uniqueGrades.length,
    uniqueRelevant: uniqueGrades.filter((grade) => grade >= measure.relevantFrom).length,
    mean,
    meanWithout,
    scoreDrop: mean - meanWithout,
  };
}

/** Whether a judged document of a question is in the top `depth` of one configuration alone. */
export function hasUniqueJudged(
  configuration: string,
  { rankings, judgments }: PooledQuestion,
  depth: number,
): boolean {
  const unique = findUniqueOf(configuration, rankings, depth);
  return [...unique].some((documentId) => judgments.has(documentId));
}

function findUniqueOf(
  configuration: string,
  rankings: PooledQuestion['rankings'],
  depth: number,
): ReadonlySet<DocumentId> {
  const others = [...rankings].flatMap(([name, other]) => (name === configuration ? [] : [other]));
  return findUnique(rankings.get(configuration) ?? [], others, depth);
}

/** The documents in the top `depth` of the ranking that no other's holds. */
function findUnique(
  ranking: Ranking,
  others: readonly Ranking[],
  depth: number,
): ReadonlySet<DocumentId> {
  const toTop = (each: Ranking) => new Set(each.slice(0, depth).filter((id) => id !== null));
  const unique = toTop(ranking);
  for (const other of others) for (const documentId of toTop(other)) unique.delete(documentId);
  return unique;
}
