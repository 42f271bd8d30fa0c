import type { Database } from '../../storage/database/database.ts';
import { readDiagnosisSearches } from '../../storage/evaluations/diagnosis-searches.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { diagnoseQuestion } from '../diagnosis/diagnose-questions.ts';
import { createDiagnosisCollector } from '../diagnosis/diagnosis.ts';
import { toOptions } from '../diagnosis/read-diagnosis.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';
import { hashSearch } from '../outcomes/search-hash.ts';
import type { AskedQuestion } from '../outcomes/stream-outcomes.ts';

/** Finds where one configuration loses relevant documents, question by question. */
export interface RowDiagnosis {
  readonly add: (asked: AskedQuestion) => void;
  readonly addTo: (row: ScorecardRow) => ScorecardRow;
}

/**
 * Starts the diagnosis of a row, where the evaluation asks for it. The searches that were made for it are counted
 * once: at the first of the configurations that share them.
 */
export function createDiagnosisStarter(
  db: Database,
  evaluation: StoredEvaluation,
): (configuration: EvaluationConfiguration) => Promise<RowDiagnosis | undefined> {
  const { diagnose, sliceBy } = evaluation.plan;
  const counted = new Set<string>();

  return async (configuration) => {
    if (diagnose !== true && diagnose !== 'deep') return undefined;
    const options = toOptions(evaluation.plan, {});
    const collector = createDiagnosisCollector(options, sliceBy);
    const hash = hashSearch(configuration);
    const searches = await readDiagnosisSearches(db, evaluation.id, hash);
    const made = [...searches.values()].filter(({ attempts }) => attempts > 0).length;
    const unfilteredSearches = counted.has(hash) ? 0 : made;
    counted.add(hash);
    return {
      add({ position, question, outcome }) {
        if (!outcome) return;
        const search = searches.get(position);
        const diagnosed = diagnoseQuestion(question, outcome, { ...options, search });
        if (diagnosed) collector.add({ question, ...diagnosed });
      },
      addTo(row) {
        const diagnosis = collector.toDiagnosis();
        if (diagnose !== 'deep') return { ...row, diagnosis };
        return { ...row, usage: { ...row.usage, unfilteredSearches }, diagnosis };
      },
    };
  };
}
