import { defaultRelevantFrom } from '../../ir/qrels.ts';
import type { Database } from '../../storage/database/database.ts';
import type { EvaluationPlan } from '../../model/evaluation-plan.ts';
import { toPage, type Page } from '../../storage/database/paging.ts';
import { diagnoseQuestions, type DiagnosedQuestion } from './diagnose-questions.ts';
import { summarizeDiagnosis } from './diagnosis.ts';
import type { ResultCache } from '../lifecycle/result-cache.ts';
import { inTurn } from '../computations/current-request.ts';
import { getConfiguration, getEndedEvaluation } from '../lifecycle/describe-evaluation.ts';
import { resolveMeasures } from '../measures/resolve-measures.ts';
import type { DiagnosisRequest, DiagnosisOptions, Diagnosis } from '../../model/diagnosis.ts';

/** Where a configuration of an ended evaluation loses relevant documents. */
export async function readDiagnosis(
  { db, memory }: { readonly db: Database; readonly memory: ResultCache },
  evaluationId: string,
  request: DiagnosisRequest,
): Promise<Diagnosis & { readonly configuration: string }> {
  const evaluation = await getEndedEvaluation(db, evaluationId);
  const configuration = await getConfiguration(db, evaluationId, request.configuration);
  const options = toOptions(evaluation.plan, request);
  const diagnosis = await memory.getOrCompute(
    { db, evaluation },
    ['diagnosis', configuration.name, options.k, options.relevantFrom],
    () => {
      const diagnosed = diagnoseQuestions(db, evaluation, configuration, options);
      return summarizeDiagnosis(diagnosed, options, evaluation.plan.sliceBy);
    },
  );
  return { configuration: configuration.name, ...diagnosis };
}

/** The questions that lack a relevant document, in the set's order. */
export async function listLosses(
  db: Database,
  evaluationId: string,
  request: DiagnosisRequest & { readonly limit: number; readonly after: number },
): Promise<Page<DiagnosedQuestion>> {
  const evaluation = await getEndedEvaluation(db, evaluationId);
  const configuration = await getConfiguration(db, evaluationId, request.configuration);
  const options = { ...toOptions(evaluation.plan, request), after: request.after };
  const rows: DiagnosedQuestion[] = [];
  await inTurn(async () => {
    for await (const diagnosed of diagnoseQuestions(db, evaluation, configuration, options)) {
      if (diagnosed.lost.length > 0) rows.push(diagnosed);
      if (rows.length > request.limit) break;
    }
  }, evaluation.total);
  return toPage(rows, request.limit, {
    toItem: (row) => row,
    toCursor: ({ position }) => String(position),
  });
}

/** The deepest cut-off of the evaluation's measures says how far its readers look; 10 where none says. */
export function toOptions(
  plan: EvaluationPlan,
  { k, relevantFrom = defaultRelevantFrom }: Omit<DiagnosisRequest, 'configuration'>,
): DiagnosisOptions {
  const cutoffs = resolveMeasures(plan).flatMap(({ cutoff }) => cutoff ?? []);
  return { k: k ?? (cutoffs.length > 0 ? Math.max(...cutoffs) : defaultK), relevantFrom };
}

const defaultK = 10;
