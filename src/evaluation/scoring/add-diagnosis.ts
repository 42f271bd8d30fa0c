import type { Database } from '../../storage/database/database.ts';
import { readDiagnosisSearches } from '../../storage/evaluations/diagnosis-searches.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/evaluations.ts';
import { diagnoseQuestions } from '../diagnosis/diagnose-questions.ts';
import { summarizeDiagnosis } from '../diagnosis/diagnosis.ts';
import { toOptions } from '../diagnosis/read-diagnosis.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';
import { hashSearch } from '../outcomes/search-hash.ts';

/**
 * Adds to each row where its configuration loses relevant documents, where the evaluation asks for it. The
 * searches that were made for it are counted once: at the first of the configurations that share them.
 */
export function createDiagnosisAdder(
  db: Database,
  evaluation: StoredEvaluation,
): (configuration: EvaluationConfiguration, row: ScorecardRow) => Promise<ScorecardRow> {
  const { diagnose, sliceBy } = evaluation.plan;
  const counted = new Set<string>();

  async function countSearches(configuration: EvaluationConfiguration): Promise<number> {
    const hash = hashSearch(configuration);
    if (counted.has(hash)) return 0;
    counted.add(hash);
    const searches = await readDiagnosisSearches(db, evaluation.id, hash);
    return [...searches.values()].filter(({ attempts }) => attempts > 0).length;
  }

  return async (configuration, row) => {
    if (diagnose !== true && diagnose !== 'deep') return row;
    const options = toOptions(evaluation.plan, {});
    const diagnosed = diagnoseQuestions(db, evaluation, configuration, options);
    const diagnosis = await summarizeDiagnosis(diagnosed, options, sliceBy);
    if (diagnose !== 'deep') return { ...row, diagnosis };
    const unfilteredSearches = await countSearches(configuration);
    return { ...row, usage: { ...row.usage, unfilteredSearches }, diagnosis };
  };
}
