import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database/database.ts';
import {
  listConfigurations,
  type EvaluationConfiguration,
} from '../../storage/evaluations/evaluation-configurations.ts';
import {
  finishEvaluation,
  startEvaluation,
} from '../../storage/evaluations/evaluation-life-cycle.ts';
import { findEvaluation } from '../../storage/evaluations/evaluations.ts';
import type {
  EvaluationFailure,
  StoredEvaluation,
} from '../../storage/evaluations/stored-evaluation.ts';
import { replaceScores } from '../../storage/evaluations/scores.ts';
import { deletePace } from '../../storage/evaluations/search-pace.ts';
import { isInputUnchanged } from '../outcomes/input-hash.ts';
import { openGate } from '../gates/decide-gate.ts';
import { countAsked, type ScorecardRow } from '../../model/scorecard.ts';
import { scoreEvaluation } from '../scoring/score-evaluation.ts';
import { groupConfigurations } from '../searching/search-groups.ts';
import { searchUnfiltered } from '../searching/search-unfiltered.ts';
import { searchQuestions, type SearchContext } from '../searching/search-questions.ts';
import type { WorkControl } from '../searching/work-control.ts';

export type EvaluationContext = SearchContext;

/**
 * Searches every question that has no outcome yet, stores each outcome as it arrives, and scores them
 * all. After a crash or an error of the database it continues with what is missing. Rejects when
 * it is told to stop, with everything that arrived stored.
 */
export async function runEvaluation(
  context: EvaluationContext,
  id: string,
  control: WorkControl,
): Promise<void> {
  const { db, now } = context;
  if (!(await startEvaluation(db, id, now()))) return;
  const evaluation = await findEvaluation(db, id);
  if (!evaluation) return;
  const all = await listConfigurations(db, id);
  for (const configurations of groupConfigurations(evaluation.plan, all)) {
    await searchQuestions(context, evaluation, { ...control, configurations });
  }
  await concludeEvaluation(context, id, control);
}

/** Scores what was found and ends the evaluation, unless it has ended already. */
export async function concludeEvaluation(
  context: EvaluationContext,
  id: string,
  control: WorkControl,
): Promise<void> {
  const { db, now } = context;
  const evaluation = await findEvaluation(db, id);
  if (evaluation?.status !== 'running') return;
  const configurations = await listConfigurations(db, id);
  await refuseChangedInputs(db, evaluation, configurations);
  if (evaluation.plan.diagnose === 'deep') {
    for (const configuration of configurations) {
      await searchUnfiltered(context, evaluation, { ...control, configuration });
    }
  }
  const gate = await openGate(db, evaluation);
  const { scorecard, scores } = await scoreEvaluation(
    context,
    evaluation,
    configurations,
    gate?.listen,
  );
  control.abort.throwIfAborted();
  await gate?.store();
  const error = findTotalFailure(scorecard);
  const status = error ? 'failed' : 'succeeded';
  await db.transaction().execute(async (trx) => {
    const isEnd = await finishEvaluation(trx, id, { status, scorecard, error, at: now() });
    if (!isEnd || status !== 'succeeded') return;
    for (const [configuration, blocks] of scores) {
      await replaceScores(trx, id, configuration, blocks);
    }
  });
  await deletePace(db, id);
}

/** The searched data must be the same at the end as at the start: otherwise it is unknown what was measured. */
async function refuseChangedInputs(
  db: Database,
  { rescoreOf }: StoredEvaluation,
  configurations: readonly EvaluationConfiguration[],
): Promise<void> {
  if (rescoreOf !== null) return;
  for (const { input } of configurations) {
    if (!input || (await isInputUnchanged(db, input))) continue;
    const message = `${input.kind} '${input.name}' changed while it was searched; create a new evaluation`;
    throw new AppError('conflict', message);
  }
}

/** Every search of a configuration failed: there is nothing to trust in such an evaluation. */
function findTotalFailure(scorecard: readonly ScorecardRow[]): EvaluationFailure | null {
  const dead = scorecard.filter(
    (row) => row.questions.failed > 0 && row.questions.failed === countAsked(row),
  );
  if (dead.length === 0) return null;
  const names = dead.map(({ configuration }) => `'${configuration}'`).join(', ');
  const cause = dead[0]?.failures[0]?.detail ?? 'no cause was recorded';
  return { code: 'every-search-failed', detail: `Every search of ${names} failed: ${cause}` };
}
