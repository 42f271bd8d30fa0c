import { toComparableRanking } from '../../ir/comparable-ids.ts';
import { compareByCodePoint } from '../../ir/compare-ids.ts';
import { toJudgments } from '../../ir/qrels.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { getConfiguration, getEndedEvaluation } from '../lifecycle/describe-evaluation.ts';
import type { ResultCache } from '../lifecycle/result-cache.ts';
import { streamOutcomes } from '../outcomes/stream-outcomes.ts';

export interface TopDocuments {
  readonly configuration: string;
  readonly k: number;
  /** Questions for which anything was found. */
  readonly questions: number;
  /** Different documents that came first for some question. */
  readonly firstDocuments: number;
  /** Those that came first most often. */
  readonly items: readonly TopDocument[];
}

export interface TopDocument {
  readonly documentId: string;
  /** Questions for which it came first. */
  readonly first: number;
  /** Of these, those with a grade of 1 or more for it. */
  readonly firstRelevant: number;
  /** Of these, those without a judgment of it. */
  readonly firstUnjudged: number;
  /** Questions that have it in the top k. */
  readonly inTop: number;
}

interface TopRequest {
  readonly configuration: string;
  readonly k: number;
  readonly limit: number;
}

/** The documents that come first for most questions: one that always wins is an error in the search, or an attack. */
export async function listTopDocuments(
  { db, memory }: { readonly db: Database; readonly memory: ResultCache },
  evaluationId: string,
  request: TopRequest,
): Promise<TopDocuments> {
  const { configuration, k, limit } = request;
  const evaluation = await getEndedEvaluation(db, evaluationId);
  const { position } = await getConfiguration(db, evaluationId, configuration);
  return memory.getOrCompute(
    { db, evaluation },
    ['top-documents', configuration, k, limit],
    async () => {
      const { questions, documents } = await countTops(db, evaluation, { position, k });
      const winners = documents.filter(({ first }) => first > 0);
      const items = winners.toSorted(byPlaces).slice(0, limit);
      return { configuration, k, questions, firstDocuments: winners.length, items };
    },
  );
}

type Counts = { -readonly [Key in keyof TopDocument]: TopDocument[Key] };

async function countTops(
  db: Database,
  evaluation: StoredEvaluation,
  { position, k }: { readonly position: number; readonly k: number },
): Promise<{ readonly questions: number; readonly documents: readonly TopDocument[] }> {
  const byId = new Map<string, Counts>();
  let questions = 0;
  for await (const { question, outcome } of streamOutcomes(db, evaluation, position)) {
    const top = outcome?.hits?.slice(0, k) ?? [];
    if (top.length > 0) questions += 1;
    const grades = toJudgments(question.judgments);
    const ranking = toComparableRanking(top.map(({ documentId }) => documentId));
    for (const [index, id] of ranking.entries()) {
      if (id === null) continue;
      const documentId = top[index]?.documentId ?? id;
      const none = { documentId, first: 0, firstRelevant: 0, firstUnjudged: 0, inTop: 0 };
      const counts = byId.get(id) ?? none;
      byId.set(id, counts);
      counts.inTop += 1;
      if (index > 0) continue;
      const grade = grades.get(id);
      counts.first += 1;
      counts.firstUnjudged += grade === undefined ? 1 : 0;
      counts.firstRelevant += grade !== undefined && grade > 0 ? 1 : 0;
    }
  }
  return { questions, documents: [...byId.values()] };
}

function byPlaces(a: TopDocument, b: TopDocument): number {
  return b.first - a.first || b.inTop - a.inTop || compareByCodePoint(a.documentId, b.documentId);
}
