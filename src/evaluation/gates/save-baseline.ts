import { AppError, NotFoundError } from '../../errors.ts';
import {
  deleteBaseline,
  findBaseline,
  upsertBaseline,
  type Baseline,
} from '../../storage/catalog/baselines.ts';
import { lockCatalog } from '../../storage/database/catalog-lock.ts';
import type { Database } from '../../storage/database/database.ts';
import { getConfiguration, getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { parseMeasure } from '../../ir/measures/parse-measure.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';
import { hashJson } from '../../model/hash-content.ts';
import type { RunReference } from '../comparison/read-run.ts';
import { stateOfBaseline } from '../catalog/entity-states.ts';
import {
  removeNamed,
  saveNamed,
  type NamedChange,
  type NamedResource,
} from '../catalog/named-resource.ts';

const baselines: NamedResource<Baseline> = {
  kind: 'baseline',
  label: 'Baseline',
  find: findBaseline,
  stateOf: stateOfBaseline,
  hash: ({ evaluation, configuration }) => hashJson([evaluation, configuration]),
  upsert: upsertBaseline,
  remove: deleteBaseline,
};

/**
 * Makes a run the baseline of that name. The run it has already keeps its time. Refuses a run of an
 * evaluation that has not succeeded, and one that scores 0 everywhere: every
 * candidate would pass.
 */
export async function saveBaseline(
  db: Database,
  change: NamedChange,
  { evaluation, configuration }: RunReference,
): Promise<{ readonly stored: Baseline; readonly isNew: boolean }> {
  const { name, now } = change;
  return saveNamed(db, baselines, change, {
    async make(trx) {
      await lockCatalog(trx, 'shared');
      const { status, scorecard } = await getEvaluation(trx, evaluation);
      await getConfiguration(trx, evaluation, configuration);
      if (status !== 'succeeded') {
        const message = `Evaluation '${evaluation}' is ${status}; a baseline requires an evaluation that succeeded`;
        throw new AppError('conflict', message);
      }
      refuseZeros(scorecard?.find((row) => row.configuration === configuration));
      return { name, evaluation, configuration, createdAt: now };
    },
  });
}

/** Deletes a baseline; its evaluation stays. */
export async function removeBaseline(db: Database, change: NamedChange): Promise<void> {
  await removeNamed(db, baselines, change);
}

/** Nothing can be worse than a run that scores 0 everywhere: every gate would pass. */
function refuseZeros(row: ScorecardRow | undefined): void {
  const means = Object.entries(row?.measures ?? {})
    .filter(([name]) => parseMeasure(name)?.family !== 'judged')
    .flatMap(([, mean]) => mean ?? []);
  if (means.length === 0 || means.some((mean) => mean !== 0)) return;
  const cause = row?.warnings.find(({ severity }) => severity === 'error');
  const reason = cause ? `. ${cause.message}` : '';
  const message = `Every measure of configuration '${row?.configuration}' is 0, so it cannot be a baseline: nothing could be worse${reason}`;
  throw new AppError('conflict', message);
}

export async function getBaseline(db: Database, name: string): Promise<Baseline> {
  const baseline = await findBaseline(db, name);
  if (!baseline) throw new NotFoundError('Baseline', name);
  return baseline;
}
