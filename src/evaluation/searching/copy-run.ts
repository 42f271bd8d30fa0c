import { traitsOf } from '../../retrieval/registry.ts';
import { findRevision } from '../../storage/catalog/runs.ts';
import type { Database } from '../../storage/database/database.ts';
import { retryTransientErrors } from '../../storage/database/transient-errors.ts';
import { copyRankings } from '../../storage/evaluations/copy-rankings.ts';
import type { EvaluationConfiguration } from '../../storage/evaluations/evaluation-configurations.ts';
import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import { addSearches } from '../../storage/evaluations/search-pace.ts';
import { isInputUnchanged, toChangedInput } from '../outcomes/input-hash.ts';
import type { WorkControl } from './work-control.ts';

/** Few enough that others hardly wait. */
const questionsPerStep = 500;

/** Whether the rankings of a configuration are those of a run as they are, so that the database can copy them. */
export function isCopied(
  { rescoreOf }: Pick<StoredEvaluation, 'rescoreOf'>,
  { configuration }: Pick<EvaluationConfiguration, 'configuration'>,
): boolean {
  const { backend, pipeline } = configuration;
  return rescoreOf === null && !traitsOf(backend).isSearched && pipeline === undefined;
}

/** Makes the rankings of a run the outcomes of the questions at `positions`. Rejects when it is stopped. */
export async function copyRun(
  { db, now }: { readonly db: Database; readonly now: () => string },
  evaluation: StoredEvaluation,
  {
    configuration,
    positions,
    abort,
    drain,
    assertClaimHeld,
  }: WorkControl & {
    readonly configuration: EvaluationConfiguration;
    readonly positions: readonly number[];
  },
): Promise<void> {
  const { input, position } = configuration;
  const { depth } = configuration.configuration;
  const revision = input ? await findRevision(db, input.name) : undefined;
  if (revision === undefined || !(await isInputUnchanged(db, input))) throw toChangedInput(input);
  const { id: evaluationId, questionSet, version } = evaluation;
  const stopped = AbortSignal.any([abort, drain]);
  for (let start = 0; start < positions.length; start += questionsPerStep) {
    await assertClaimHeld?.();
    stopped.throwIfAborted();
    const questions = positions.slice(start, start + questionsPerStep);
    const copy = { revision, evaluationId, configuration: position, depth, questionSet, version };
    await retryTransientErrors(() =>
      db.transaction().execute(async (trx) => {
        await copyRankings(trx, { ...copy, questions });
        await addSearches(trx, evaluationId, { searches: questions.length, at: now() });
      }),
    );
  }
}
