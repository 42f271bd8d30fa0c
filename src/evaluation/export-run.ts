import type { Database } from '../storage/database.ts';
import type { OutcomeHit } from '../storage/outcomes.ts';
import { streamAsked } from './asked-questions.ts';
import { getConfiguration, getEvaluation } from './describe-evaluation.ts';

export interface ExportedRanking {
  readonly questionId: string;
  readonly hits: readonly OutcomeHit[];
}

/** Finds one configuration's run. Each call of what is returned reads its rankings, in the set's order; failed questions have none. */
export async function exportRun(
  db: Database,
  evaluationId: string,
  configuration: string,
): Promise<() => AsyncGenerator<ExportedRanking>> {
  const evaluation = await getEvaluation(db, evaluationId);
  const { position } = await getConfiguration(db, evaluationId, configuration);
  return async function* readRankings() {
    for await (const { question, outcome } of streamAsked(db, evaluation, position)) {
      if (outcome?.hits) yield { questionId: question.id, hits: outcome.hits };
    }
  };
}
