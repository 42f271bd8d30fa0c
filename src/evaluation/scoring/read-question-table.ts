import { toComparableId } from '../../ir/comparable-ids.ts';
import { type Judgments, toJudgments } from '../../ir/qrels.ts';
import { averageOf } from '../../model/average-rule.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Question } from '../../model/question.ts';
import type { Database } from '../../storage/database/database.ts';
import type { Page } from '../../storage/database/paging.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { getEvaluation } from '../lifecycle/describe-evaluation.ts';
import type { ResultCache } from '../lifecycle/result-cache.ts';
import { findMaxGrade } from '../measures/find-max-grade.ts';
import { parseOneMeasure, resolveMeasures } from '../measures/resolve-measures.ts';
import { joinOutcomes, toBatches } from '../outcomes/join-outcomes.ts';
import { findLeaks, streamSelected, toStatus } from '../outcomes/stream-outcomes.ts';
import type { QuestionCell, QuestionRow } from './question-row.ts';
import { selectRows, type RowSelection } from './select-rows.ts';
import { scoreQuestion, type ScoreScale } from './score-question.ts';

export interface TableRequest extends Omit<RowSelection, 'measure'> {
  readonly k: number;
  /** Undefined: the first of the evaluation. */
  readonly measure?: string | undefined;
  readonly limit: number;
  /** How many rows of the selection come before the page. */
  readonly after: number;
}

export interface TablePage extends Page<QuestionRow> {
  /** The names of the configurations, in the evaluation's order. */
  readonly configurations: readonly string[];
  /** The measure that rows were sorted and compared by. */
  readonly measure: string;
  /** Rows of the selection, on all pages. */
  readonly total: number;
}

/** The questions of an evaluation with all configurations side by side: selected, sorted, one page of them. */
export async function readQuestionTable(
  { db, memory }: { readonly db: Database; readonly memory: ResultCache },
  evaluationId: string,
  { k, limit, after, ...selection }: TableRequest,
): Promise<TablePage> {
  const evaluation = await getEvaluation(db, evaluationId);
  const configurations = await listConfigurations(db, evaluationId);
  const measure = selection.measure
    ? parseOneMeasure(selection.measure, '/query/measure').name
    : (evaluation.plan.measures[0] ?? '');
  const rows = await memory.getOrCompute({ db, evaluation }, ['question-table', k], () =>
    readRows(db, evaluation, { configurations, k }),
  );
  const selected = selectRows(rows, { ...selection, measure });
  const end = after + limit;
  return {
    items: selected.slice(after, end),
    nextCursor: end < selected.length ? String(end) : null,
    configurations: configurations.map(({ name }) => name),
    measure,
    total: selected.length,
  };
}

/** Few enough that a batch of deep rankings stays small in memory. */
const batchSize = 100;

async function readRows(
  db: Database,
  evaluation: StoredEvaluation,
  {
    configurations,
    k,
  }: { readonly configurations: readonly EvaluationConfiguration[]; readonly k: number },
): Promise<readonly QuestionRow[]> {
  const measures = resolveMeasures(evaluation.plan);
  const maxGrade = await findMaxGrade(db, evaluation, measures);
  const scale = { measures, maxGrade, average: averageOf(evaluation.plan) };
  const sources = configurations.map(({ position }) => ({
    evaluationId: evaluation.id,
    configuration: position,
    positionOf: (asked: { readonly position: number }) => asked.position,
  }));
  const batches = toBatches(streamSelected(db, evaluation), batchSize);
  const rows: QuestionRow[] = [];
  for await (const { asked, outcomes } of joinOutcomes(db, batches, sources)) {
    const { position, question } = asked;
    const cells = configurations.flatMap(({ name }, index) => {
      const outcome = outcomes[index];
      return outcome ? [[name, toCell(question, outcome, { ...scale, k })] as const] : [];
    });
    const { id, text, kind, process, language, user, split, tags, answerable } = question;
    const about = { id, text, kind, process, language, user, split, tags, answerable };
    rows.push({ position, ...about, configurations: Object.fromEntries(cells) });
  }
  return rows;
}

function toCell(
  question: Question,
  outcome: Outcome,
  { k, ...scale }: ScoreScale & { readonly k: number },
): QuestionCell {
  const values = scoreQuestion(question, outcome, scale);
  const byName = scale.measures.map(({ name }, index) => [name, values?.[index] ?? 0] as const);
  const grades = toJudgments(question.judgments);
  const ids = (outcome.hits ?? []).map(({ documentId }) =>
    documentId === null ? null : toComparableId(documentId),
  );
  return {
    status: toStatus(question, outcome),
    measures: values ? Object.fromEntries(byName) : {},
    firstRelevantRank: findFirstRelevant(ids, grades),
    leaks: findLeaks(question, outcome).length,
    unjudged: ids.slice(0, k).filter((id) => id !== null && !grades.has(id)).length,
  };
}

function findFirstRelevant(ids: readonly (string | null)[], grades: Judgments): number | null {
  const index = ids.findIndex((id) => id !== null && (grades.get(id) ?? 0) > 0);
  return index === -1 ? null : index + 1;
}
