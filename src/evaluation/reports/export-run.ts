import type { Database } from '../../storage/database/database.ts';
import { streamOutcomes } from '../outcomes/stream-outcomes.ts';
import { getConfiguration, getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { failIfChangedDuringRead } from '../catalog/fail-if-changed-during-read.ts';
import type { OutcomeHit } from '../../model/outcome.ts';

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
    const source = { kind: 'evaluation', id: evaluationId } as const;
    const asked = failIfChangedDuringRead(db, streamOutcomes(db, evaluation, position), source);
    for await (const { question, outcome } of asked) {
      if (outcome?.hits) yield { questionId: question.id, hits: outcome.hits };
    }
  };
}
