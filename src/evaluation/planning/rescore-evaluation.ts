import { NotFoundError } from '../../errors.ts';
import type { AverageRule } from '../../model/question.ts';
import type { Measure } from '../../ir/measures/measure.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database, DatabaseTransaction } from '../../storage/database/database.ts';
import { copyDiagnosisSearches } from '../../storage/evaluations/diagnosis-searches.ts';
import { listConfigurations } from '../../storage/evaluations/evaluation-configurations.ts';
import type { EvaluationPlan } from '../../model/evaluation-plan.ts';
import { insertEvaluation } from '../../storage/evaluations/evaluations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { copyOutcomes } from '../../storage/evaluations/outcomes.ts';
import {
  findVersion,
  type QuestionSetVersion,
} from '../../storage/question-sets/question-set-versions.ts';
import { findQuestionSet } from '../../storage/question-sets/question-sets.ts';
import { streamSelected } from '../outcomes/stream-outcomes.ts';
import { averageOf } from '../../model/average-rule.ts';
import { getEndedEvaluation } from '../lifecycle/describe-evaluation.ts';
import { refuseTooManySlices } from './limit-slices.ts';
import { recordEvaluation } from '../lifecycle/record-evaluation.ts';
import { serviceVersion } from '../../model/service-version.ts';
import { parseMeasures, resolveMeasures } from '../measures/resolve-measures.ts';

/**
 * Makes an evaluation of stored rankings against another version of their question set, with the same
 * split. Of a sample, the same questions are kept. Nothing is searched; questions that the rankings lack
 * will be `failed`.
 */
export async function rescoreEvaluation(
  db: Database,
  sourceId: string,
  request: {
    readonly version?: number | undefined;
    readonly measures?: readonly string[] | undefined;
    /** Default: the rule of the source. */
    readonly average?: AverageRule | undefined;
    readonly id: string;
    readonly now: string;
  },
): Promise<void> {
  const measures = request.measures && parseMeasures(request.measures, '/body/measures');
  await db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'shared');
    const source = await getEndedEvaluation(trx, sourceId);
    const version = await findTarget(trx, source, request.version);
    const plan = replan(source.plan, measures, request.average);
    const target = { ...source, version: version.version, plan };
    const places = await findPlaces(trx, source, target);
    const positions = source.plan.positions && [...places.values()].toSorted((a, b) => a - b);
    const configurations = await listConfigurations(trx, sourceId);
    const rescored = {
      id: request.id,
      questionSet: source.questionSet,
      version: version.version,
      contentHash: version.contentHash,
      plan: { ...target.plan, positions },
    };
    const size = { questions: places.size, configurations: configurations.length };
    await refuseTooManySlices(trx, rescored, size);
    await insertEvaluation(trx, {
      ...rescored,
      label: source.label,
      total: places.size * configurations.length,
      rescoreOf: sourceId,
      createdAt: request.now,
      idempotency: null,
      configurations,
    });
    await recordEvaluation(trx, rescored, { action: 'create', at: request.now });
    await copyDiagnosisSearches(trx, { from: sourceId, to: request.id }, places);
    for (const { position: configuration } of configurations) {
      const to = { evaluationId: request.id, configuration };
      await copyOutcomes(trx, { evaluationId: sourceId, configuration }, to, places);
    }
  });
}

/** The plan of the source by its measures or others, and by its rule of means or another. */
function replan(
  plan: EvaluationPlan,
  measures: readonly Measure[] | undefined,
  average: EvaluationPlan['average'],
): EvaluationPlan {
  const names = measures && { measures: measures.map(({ name }) => name) };
  return {
    ...plan,
    average: average ?? averageOf(plan),
    ...(names && { measures: resolveMeasures(names).map(({ name }) => name) }),
    positions: undefined,
    // Decided before the search; other labels were not what it was fixed for.
    gate: undefined,
    serviceVersion,
  };
}

async function findTarget(
  trx: DatabaseTransaction,
  source: StoredEvaluation,
  version: number | undefined,
): Promise<QuestionSetVersion> {
  const latest = await findQuestionSet(trx, source.questionSet);
  if (!latest) throw new NotFoundError('Question set', source.questionSet);
  const found = await findVersion(trx, source.questionSet, version ?? latest.version);
  if (!found) {
    throw new NotFoundError('Question set', `${source.questionSet}' version '${version}`);
  }
  return found;
}

/** Where each question to be scored stands in the target version, by id. Of a sample, only the sampled ones. */
async function findPlaces(
  trx: DatabaseTransaction,
  source: StoredEvaluation,
  target: Pick<StoredEvaluation, 'questionSet' | 'version' | 'plan'>,
): Promise<ReadonlyMap<string, number>> {
  const sampled = source.plan.positions ? await listIds(trx, source) : undefined;
  const places = new Map<string, number>();
  for await (const { position, question } of streamSelected(trx, target)) {
    if (!sampled || sampled.has(question.id)) places.set(question.id, position);
  }
  return places;
}

async function listIds(
  trx: DatabaseTransaction,
  source: StoredEvaluation,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { question } of streamSelected(trx, source)) ids.add(question.id);
  return ids;
}
