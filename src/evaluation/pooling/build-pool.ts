import { toComparableRanking } from '../../ir/comparable-ids.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { judgeRanking } from '../../ir/measures/judged-ranking.ts';
import { findLabelState } from '../../model/question.ts';
import { createMean } from '../../ir/stable-sum.ts';
import { toJudgments } from '../../ir/qrels.ts';
import type { Database } from '../../storage/database/database.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { inTurn } from '../computations/current-request.ts';
import { findPoolBias } from './find-pool-bias.ts';
import { orderByImpact, type ImpactRequest } from './order-by-impact.ts';
import type { Pool, PooledQuestion } from '../../model/pool.ts';
import { poolDocuments } from './pool-documents.ts';
import { findJudgedSet, findPooledRuns, type PoolContext, type PooledRun } from './pool-runs.ts';
import { failIfChangedDuringRead } from '../catalog/fail-if-changed-during-read.ts';
import { readTops, type QuestionTops } from './read-tops.ts';
import { parseOneMeasure } from '../measures/resolve-measures.ts';

/**
 * The documents without a judgment in the top `depth` of any run. Judgments are those of the set's latest
 * version, so that a document judged since the evaluation is not asked for again. Questions without a
 * judgment come first, since they are in no mean yet. Questions without answer are left out: no measure
 * waits for their judgments.
 */
export async function buildPool(
  context: PoolContext,
  request: {
    readonly evaluations: readonly string[];
    readonly depth: number;
    readonly configurations?: readonly string[] | undefined;
    /** Then the pool is of this pair, and sorted. */
    readonly impact?: ImpactRequest | undefined;
    /** The measure whose pool bias is reported. */
    readonly bias?: Measure | undefined;
  },
): Promise<Pool> {
  const { db } = context;
  const { depth, bias } = request;
  const evaluations: StoredEvaluation[] = [];
  for (const id of new Set(request.evaluations)) evaluations.push(await getEvaluation(db, id));
  const set = await findJudgedSet(db, evaluations);
  const names = request.impact?.pair ?? request.configurations;
  const runs = await findPooledRuns(context, evaluations, names);
  const about = { set, depth, evaluations };
  const { impact: order } = request;
  const rankings = evaluations.reduce((sum, { total }) => sum + total, 0);
  const impact = order && (await inTurn(() => orderByImpact(db, { ...about, ...order }), rankings));
  const tops = readTops(db, { set, runs, depth, order: impact?.order });
  const sums = createSums(runs, depth);
  return {
    depth,
    questionSet: set,
    ...(impact && { impact: impact.impact }),
    ...(bias && {
      bias: await inTurn(() => findPoolBias(db, { ...about, measure: bias }), rankings),
    }),
    questions: keepIntact(db, evaluations, poolQuestions(tops, { runs, sums, impact })),
    sumUp: sums.sumUp,
  };
}

async function* poolQuestions(
  tops: AsyncIterable<QuestionTops>,
  {
    runs,
    sums,
    impact,
  }: {
    readonly runs: readonly PooledRun[];
    readonly sums: PoolCounter;
    readonly impact: Awaited<ReturnType<typeof orderByImpact>> | undefined;
  },
): AsyncGenerator<PooledQuestion> {
  for await (const each of tops) {
    const { id, text } = each.question;
    const pooled = poolDocuments(each, runs);
    const documents = impact ? impact.sortDocuments(id, pooled) : pooled;
    sums.add(each, documents.length);
    if (documents.length > 0) yield { id, text, documents };
  }
}

function keepIntact<Item>(
  db: Database,
  evaluations: readonly StoredEvaluation[],
  items: AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  return evaluations.reduce(
    (read, { id }) => failIfChangedDuringRead(db, read, { kind: 'evaluation', id }),
    items,
  );
}

interface PoolCounter {
  readonly add: (question: QuestionTops, documents: number) => void;
  readonly sumUp: Pool['sumUp'];
}

function createSums(runs: readonly PooledRun[], depth: number): PoolCounter {
  const judgedAt = parseOneMeasure(`judged@${depth}`, '/body/depth');
  const coverage = runs.map((run) => ({ run, mean: createMean() }));
  let unjudged = 0;
  let unlabelled = 0;
  return {
    add({ question, tops }, documents) {
      unjudged += documents;
      if (findLabelState(question) === 'unlabelled') {
        if (tops.size > 0) unlabelled += 1;
        return;
      }
      const judgments = toJudgments(question.judgments);
      for (const { run, mean } of coverage) {
        const hits = tops.get(run);
        if (!hits) continue;
        const ranking = toComparableRanking(hits.map(({ documentId }) => documentId));
        mean.add(judgedAt.compute(judgeRanking(ranking, judgments), { maxGrade: 1 }));
      }
    },
    sumUp: () => ({
      unjudged,
      ...(unlabelled > 0 && { unlabelled }),
      coverage: Object.fromEntries(coverage.map(({ run, mean }) => [run.label, mean.mean ?? null])),
    }),
  };
}
